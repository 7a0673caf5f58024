/**
 * A script for `sh -c` with a pipe as standard input: runs "$@" and terminates it when this shell
 * receives a signal or its standard input closes, that is, when the parent process ends in any way.
 * A process that ignores the signal, like Anvil during startup, is killed after five seconds. The
 * directory `GUARDED_DIRECTORY` is removed.
 */
export const guard = [
  'exec 3<&0',
  '"$@" </dev/null 3<&- &',
  'child=$!',
  'echo "guarded pid $child"',
  // The shell's message about a killed process may have no reader, which would end the shell.
  'exec 2>/dev/null',
  'last() { sleep 5 & n=$!; while kill -0 "$child" && kill -0 $n; do sleep 0.1; done; kill $n; }',
  'end() { kill "$child"; (last; kill -0 "$child" && kill -9 "$child") & }',
  "trap 'end >/dev/null 2>&1' TERM INT HUP",
  '(trap - TERM INT HUP; read -r _ <&3; end) >/dev/null 2>&1 &',
  'guard=$!',
  'wait "$child"',
  'wait "$child"',
  'kill "$guard" 2>/dev/null',
  '[ -z "$GUARDED_DIRECTORY" ] || rm -rf "$GUARDED_DIRECTORY"',
  'exit 0',
].join('\n')
