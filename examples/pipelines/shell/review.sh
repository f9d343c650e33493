#!/bin/sh
# review.sh up STACK: brings the stack of a pull request up, and writes comment.md: what the run would do and did, with the outputs of the stack, such as
# addresses. review.sh down STACK: destroys it, and removes the stack. Both can be repeated, and do not touch the stack of another pull request,
# if the file names the assembly by its stack: assembly: { name: 'shop-${pulumi.stack}' }.
# The settings of all such stacks are in Pulumi.review.yaml. Exit codes of up: 0; those of preview-comment, when nothing was changed; or of pulumi up.
set -eu
stack="$2"
[ -f "Pulumi.$stack.yaml" ] || cp Pulumi.review.yaml "Pulumi.$stack.yaml"
if [ "$1" = down ]; then
  # It was never created, or is removed already: a backend that does not answer lists nothing, and ends this with its error.
  pulumi stack ls --output json --non-interactive > stacks.json
  there="$(node -p 'require("./stacks.json").some(({ name }) => name.split("/").at(-1) === process.argv[1])' "$stack")"
  [ "$there" = true ] || exit 0
  pulumi destroy --stack "$stack" --skip-preview --yes --non-interactive
  pulumi stack rm "$stack" --yes --non-interactive
  exit 0
fi
pulumi stack select "$stack" --create --non-interactive
pulumi preview --stack "$stack" --json --show-sames --non-interactive > preview.json || echo "the preview failed, the comment will say why"
status=0
npx --no -- pulumi-oneops preview-comment preview.json --stack "$stack" --title "Review of $stack" --live > comment.md || status=$?
case "$status" in 0 | 6) status=0 ;; *) exit "$status" ;; esac
pulumi up --stack "$stack" --skip-preview --yes --non-interactive --color never > up.txt 2>&1 || status=$?
cat up.txt
if [ "$status" = 0 ]; then
  printf '\n### It runs\n\n' >> comment.md
  pulumi stack output --json --stack "$stack" --non-interactive \
    | node -p 'Object.entries(JSON.parse(require("fs").readFileSync(0, "utf8"))).map(([name, value]) => `- ${name}: \`${JSON.stringify(value)}\``).join("\n")' >> comment.md
else
  printf '\n### The run failed\n\n' >> comment.md
  tail -n 40 up.txt | cut -c1-300 | sed 's/^/    /' >> comment.md
fi
exit "$status"
