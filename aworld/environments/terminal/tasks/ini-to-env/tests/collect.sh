# A shell reads the settings and prints what they are.
env -i sh -c 'HOME=wrong; . /app/service.env; printf "%s\0" "$NAME" "$WEB_SERVER_HOST" \
  "$WEB_SERVER_PORT" "$WEB_SERVER_URL_BASE" "$WEB_SERVER_GREETING" "$DB_MAIN_PASS_WORD" \
  "$DB_MAIN_EMPTY"' > /collected/read
