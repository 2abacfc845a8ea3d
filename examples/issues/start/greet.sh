echo "Good evening${1:+, $1}."
