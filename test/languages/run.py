# Runs a program in Python with the Automation API, because Pulumi's language host of Python is in no module that a proxy has.
# Prints a line of JSON for each command.
import json
import runpy
import sys

from pulumi import automation

stack = automation.create_or_select_stack(
    stack_name="dev", project_name="python", program=lambda: runpy.run_path(sys.argv[1]) and None
)


def say(command, changes):
    print(json.dumps({"command": command, "changes": changes}), flush=True)


say("preview", stack.preview().change_summary)
say("up", stack.up().summary.resource_changes)
say("preview", stack.preview().change_summary)
say("destroy", stack.destroy().summary.resource_changes)
