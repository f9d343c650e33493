#!/bin/sh
# github-comment.sh FILE: posts a comment to a pull request on GitHub, or edits the one that begins with the same line.
# Reads COMMENT_TOKEN, PULL_REQUEST and GITHUB_REPOSITORY; GITHUB_API_URL and COMMENT_USER, whose comments are edited, where they are set.
set -eu
export FILE="$1"
export MARKER="$(head -n 1 "$FILE")"
[ -n "$MARKER" ] || { echo "$FILE is empty: there is nothing to post" >&2; exit 1; } # every comment begins with an empty text
node -p 'JSON.stringify({ body: require("fs").readFileSync(process.env.FILE, "utf8") })' > comment.json
# The token goes through the standard input, because every process can see command lines.
github() { printf 'header = "Authorization: Bearer %s"\n' "$COMMENT_TOKEN" | curl --config - --silent --show-error --fail "$@"; }
issues="${GITHUB_API_URL:-https://api.github.com}/repos/$GITHUB_REPOSITORY/issues"
id="$(github "$issues/$PULL_REQUEST/comments?per_page=100" | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8"))
  .find(({ user, body }) => user.login === (process.env.COMMENT_USER ?? user.login) && body.startsWith(process.env.MARKER))?.id ?? ""')"
if [ -n "$id" ]; then
  github --request PATCH "$issues/comments/$id" --data @comment.json --output posted.json
else
  github --request POST "$issues/$PULL_REQUEST/comments" --data @comment.json --output posted.json
fi
