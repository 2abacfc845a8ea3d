# Greets by name, in one of two languages.
lang=${LANGUAGE:-en}
if [ "$lang" = en ]; then
  if [ -n "$1" ]; then
    printf 'Good evening, %s.\n' "$1"
  else
    printf 'Good evening.\n'
  fi
fi
if [ "$lang" = de ]; then
  if [ -n "$1" ]; then
    printf 'Guten Abend, %s.\n' "$1"
  else
    printf 'Guten Abend.\n'
  fi
fi
