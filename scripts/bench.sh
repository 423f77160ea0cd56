#!/bin/sh
# What a check with stalemate costs over a plain `cargo check`: CPU seconds, user and system, of all processes, in three
# situations. Called by `./x bench`, which builds the tool and sets CHANNEL, TARGET (absolute) and TOOL.
# RUNS in the environment changes the number of repetitions.
set -eu

runs=${RUNS:-3}
if [ $# -eq 0 ]; then set -- tokio 1.54.1 --lib --features full; fi
if [ $# -eq 1 ]; then
    echo "x bench: give the version too: ./x bench NAME VERSION [cargo args]" >&2
    exit 2
fi
name=$1
version=$2
shift 2

field=$TARGET/field/$name-$version
bench=$TARGET/bench/$name-$version
log=$bench/log
mkdir -p "$TARGET/field" "$bench"
export RUSTUP_TOOLCHAIN="$CHANNEL"

# A copy that is a workspace of its own, of a crate as crates.io has it. `cargo info` unpacks it as a side effect.
fetch() {
    (cd "$TARGET/field" && cargo info -q "$name@$version" >/dev/null)
    for source in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$name-$version"; do
        if [ -d "$source" ]; then
            rm -rf "$field.new"
            cp -R "$source" "$field.new"
            grep -q '^\[workspace\]' "$field.new/Cargo.toml" || printf '\n[workspace]\n' >>"$field.new/Cargo.toml"
            mv "$field.new" "$field"
            return
        fi
    done
    echo "x bench: cargo did not unpack $name $version" >&2
    exit 4
}

# The CPU seconds of a command and all its children, which `times` gives on its second line as 0m1.23s 0m0.45s.
# Findings are exit code 1; anything else is a failure, and its time would mean nothing.
cpu_seconds() {
    most=$1
    shift
    sh -c '"$@" >"$0" 2>&1; echo $?; times' "$log" "$@" | awk -v most="$most" '
        function seconds(text) { split(text, part, /[ms]/); return part[1] * 60 + part[2] }
        NR == 1 && $1 > most { exit 1 }
        NR == 3 { printf "%.2f\n", seconds($1) + seconds($2) }' || {
        echo "x bench: this failed: $*" >&2
        tail -n 20 "$log" >&2
        exit 1
    }
}

run_plain() { cpu_seconds 0 cargo check --manifest-path "$field/Cargo.toml" --target-dir "$bench/plain" "$@"; }
run_stalemate() {
    cpu_seconds 1 "$TOOL" stalemate --manifest-path "$field/Cargo.toml" -- --target-dir "$bench/stalemate" "$@"
}

# Brings a target directory into a situation. Registry packages are never built incrementally, so that without the
# incremental state exactly the crate itself has to be done anew.
prepare() {
    case $1 in
    all) rm -rf "$2" ;;
    crate) find "$2" -type d -name incremental -prune -exec rm -rf {} + && touch "$field/src/lib.rs" ;;
    touch) touch "$field/src/lib.rs" ;;
    esac
}

median() {
    sort -n "$1" | awk '{ at[NR] = $1 } END { printf "%.2f", (at[int((NR + 1) / 2)] + at[int(NR / 2) + 1]) / 2 }'
}

[ -d "$field" ] || fetch
cargo fetch -q --manifest-path "$field/Cargo.toml"
rm -f "$bench"/*.seconds
run=0
while [ "$run" -lt "$runs" ]; do
    run=$((run + 1))
    echo "run $run of $runs" >&2
    for situation in all crate touch; do
        # One after the other, so that what else the machine does meets both alike.
        for side in plain stalemate; do
            prepare "$situation" "$bench/$side"
            seconds=$("run_$side" "$@")
            echo "$seconds" >>"$bench/$situation.$side.seconds"
        done
    done
done

echo "$name $version $* on $CHANNEL: CPU seconds, median of $runs"
printf '%-38s %12s %12s %7s\n' '' 'cargo check' 'stalemate' 'ratio'
row() {
    plain=$(median "$bench/$1.plain.seconds")
    stalemate=$(median "$bench/$1.stalemate.seconds")
    ratio=$(echo "$plain $stalemate" | awk '{ printf "%.2f", $1 ? $2 / $1 : 0 }')
    printf '%-38s %12s %12s %7s\n' "$2" "$plain" "$stalemate" "$ratio"
}
row all 'everything anew, with dependencies'
row crate 'only the crate anew'
row touch 'src/lib.rs touched, incremental'
