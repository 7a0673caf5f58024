/**
 * A script for `sh -c` with a pipe as its standard input: runs "$@" and ends it when this shell is
 * told to end, or when its standard input closes: that is, when the process that started it is gone,
 * however it went. One that does not heed that, as Anvil when it is told while it starts, is ended
 * for good after five seconds. The directory that `GUARDED_DIRECTORY` names goes with it.
 */
export const guard = [
  'exec 3<&0',
  '"$@" </dev/null 3<&- &',
  'child=$!',
  'echo "guarded pid $child"',
  // What a shell says of one that was killed, nobody may be there to read: that would end the shell.
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
