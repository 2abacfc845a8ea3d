# Prints what is wrong, and nothing else.
[ "$(sh greet.sh Ada)" = 'Good evening, Ada.' ] || echo 'no name'
[ "$(LANGUAGE=de sh greet.sh)" = 'Guten Abend.' ] || echo 'no German'
