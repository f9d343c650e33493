#!/bin/sh
# gitlab-comment.sh FILE NOTES: posts a comment to a merge request on GitLab, or edits the one that begins with the same line. NOTES: address of its notes.
# Reads COMMENT_TOKEN.
set -eu
notes="$2"
export MARKER="$(head -n 1 "$1")"
[ -n "$MARKER" ] || { echo "$1 is empty: there is nothing to post" >&2; exit 1; } # every comment begins with an empty text
# The token goes through the standard input, because every process can see command lines.
gitlab() { printf 'header = "PRIVATE-TOKEN: %s"\n' "$COMMENT_TOKEN" | curl --config - --silent --show-error --fail "$@"; }
id="$(gitlab "$notes?per_page=100&sort=asc" \
  | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).find((note) => note.body.startsWith(process.env.MARKER))?.id ?? ""')"
if [ -n "$id" ]; then
  gitlab --request PUT "$notes/$id" --data-urlencode "body@$1" --output note.json
else
  gitlab --request POST "$notes" --data-urlencode "body@$1" --output note.json
fi
