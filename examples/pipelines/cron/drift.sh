#!/usr/bin/env bash
# A drift review for cron. It prints nothing if everything is in sync, so that cron sends mail only if there is something to read.
# The settings are in a file that only the user of the job can read: ONEOPS_URL, ONEOPS_TOKEN (of a user who may only read),
# PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE, STACK, and the credentials of the state, here of an S3 bucket: AWS_ACCESS_KEY_ID,
# AWS_SECRET_ACCESS_KEY.
set -euo pipefail

settings="${1:?usage: drift.sh SETTINGS_FILE PROJECT_FOLDER}"
cd "${2:?usage: drift.sh SETTINGS_FILE PROJECT_FOLDER}"
set -a
# shellcheck source=/dev/null
source "$settings"
set +a
export ONEOPS_READ_ONLY=true

# One review at a time; a second one ends at once, without output.
exec 9> .drift.lock
flock --nonblock 9 || exit 0

status=0
report="$(npx --no -- pulumi-oneops drift --stack "$STACK" --report text --report html=drift.html 2>&1)" || status=$?
case "$status" in
  0) ;;
  2 | 5) printf 'What %s declares is not what runs. drift.html shows it all.\n\n%s\n' "$STACK" "$report" ;;
  *)
    printf 'The drift review of %s could not be made (exit code %s).\n\n%s\n' "$STACK" "$status" "$report"
    exit "$status"
    ;;
esac
