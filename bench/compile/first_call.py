"""What a first call costs: its seconds by the clock, and the user seconds of this process and all that it started."""
import os
import time


def user_seconds():
    """Of this process and its descendants, those that have ended and those that still run."""
    parent_of, seconds_of = {}, {}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        parent_of[int(process)] = int(fields[1])
        # utime and, of the children that it has waited for, cutime
        seconds_of[int(process)] = (int(fields[11]) + int(fields[13])) / os.sysconf("SC_CLK_TCK")
    family = {os.getpid()}
    grown = True
    while grown:
        children = {child for child, parent in parent_of.items() if parent in family} - family
        family |= children
        grown = bool(children)
    return sum(seconds_of[process] for process in family if process in seconds_of)


def report(parameters, call):
    """Calls `call`, which returns how many outputs it computed; prints parameters, outputs, seconds, user seconds."""
    user_before, before = user_seconds(), time.perf_counter()
    outputs = call()
    seconds = time.perf_counter() - before
    print(parameters, outputs, seconds, user_seconds() - user_before)
