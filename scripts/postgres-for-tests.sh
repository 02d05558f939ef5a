#!/bin/sh
# Runs a command with IDS_TEST_DATABASE_URL, the address of a private Postgres that runs as long as the command:
#   scripts/postgres-for-tests.sh -- npx vitest run --config test/vitest.config.ts
# It listens on a Unix socket in a folder that only its user can enter. It never flushes to disk (fsync is off), so tests
# on it prove nothing about power failures. Without Postgres on this machine the command runs without the variable.
set -eu
[ "${1:-}" != "--" ] || shift

if [ -n "${IDS_TEST_DATABASE_URL:-}" ]; then exec "$@"; fi

# Debian does not add the server's programs to PATH. The newest version is used.
bin=$(for each in /usr/lib/postgresql/*/bin "$(dirname "$(command -v initdb 2>/dev/null || echo /none/initdb)")"; do
  if [ -x "$each/initdb" ]; then echo "$each"; fi
done | sort -V | tail -n 1)
if [ -z "$bin" ]; then
  echo "postgres-for-tests: no Postgres on this machine, its tests are skipped" >&2
  exec "$@"
fi

# Tests create and drop hundreds of databases. In memory, if there is enough, that takes a quarter less time.
# The limit is in kB. Two workers need a tenth of it, and the log of Postgres takes up to half of it.
plenty=2000000
shared=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
memory=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo 2>/dev/null || true)
if [ -z "${TMPDIR:-}" ] && [ "${shared:-0}" -gt $plenty ] && [ "${memory:-0}" -gt $((2 * plenty)) ]; then
  export TMPDIR=/dev/shm
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/ids-pg.XXXXXX")
# The server does not run as root.
as=
if [ "$(id -u)" = 0 ]; then
  user=$(id -un postgres 2>/dev/null || echo nobody)
  chown "$user" "$folder"
  as="runuser -u $user --"
fi

finish() {
  trap - EXIT INT TERM
  (cd "$folder" && $as "$bin/pg_ctl" -D "$folder/data" -m immediate -s stop) || true
  rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

(
  cd "$folder"
  $as "$bin/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >"$folder/initdb.log" 2>&1 ||
    { cat "$folder/initdb.log" >&2; exit 1; }
  $as "$bin/pg_ctl" -D "$folder/data" -l "$folder/data/log" -s -w start \
    -o "-k $folder -c listen_addresses= -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200"
)
IDS_TEST_DATABASE_URL="postgres:///postgres?host=$folder&user=postgres"
export IDS_TEST_DATABASE_URL
echo "IDS_TEST_DATABASE_URL=$IDS_TEST_DATABASE_URL" >&2
status=0
"$@" || status=$?
exit "$status"
