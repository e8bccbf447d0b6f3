# What .ci/run and .ci/slow share: each is sourced from the root of the checkout, runs its checks by
# these functions and ends with a sum.
rm -rf .vitest
mkdir .vitest
status=0

# A suite of vitest: its tests are counted one by one.
suite() {
  local name=$1 began=$SECONDS
  shift
  VITEST_RESULTS=".vitest/$name.json" "$@" || status=$?
  echo "suite $name: $((SECONDS - began)) s"
}

# Any other check: counted as one. The summary repeats what a failed one said.
stage() {
  local name=$1 began=$SECONDS result=passed
  shift
  "$@" > >(tee ".vitest/stage $name.log") 2>&1 || { status=$?; result=failed; }
  echo "$result $name" >>.vitest/stages
  echo "stage $name: $result, $((SECONDS - began)) s"
}

# Checks that go on beside the next ones; what they say is shown when they are waited for.
beside() {
  local log=.vitest/$1.log
  shift
  "$@" >"$log" 2>&1 &
}
settle() {
  local name=$1 pid=$2 result=0
  wait "$pid" || result=$?
  cat ".vitest/$name.log"
  return "$result"
}

# Debian's packages, if the program is not there yet.
needs() {
  local program=$1
  shift
  command -v "$program" >/dev/null ||
    (apt-get update && apt-get install -y --no-install-recommends "$@")
}

# The last lines: what was skipped, what failed, `N passed, N failed`.
finish() {
  echo "all of it: $SECONDS s"
  npx node test/tools/summary.ts "$@"
  exit "$status"
}
