#!/usr/bin/env bash
# Runs a program on an emulated CPU that has AVX-512: put it before the command. A small Linux is booted in Bochs.
#
#   tests/avx512.sh PROGRAM ARGS...    stdout, stderr and exit status are those of the program;
#                                      125: it could not be run, and stderr says why
#   AVX512_SECONDS=1200 tests/avx512.sh ...    the time after which it is given up, else 600
#
# The program is alone there: with the libraries it is linked to, one CPU and 512 MB, without stdin, without the
# files of this machine and without its environment. Booting takes about 20 s; thereafter it runs at some 50 million
# instructions a second. The clock in there counts instructions, 3500 to the microsecond, whatever they are: times
# which the program measures are counts of instructions, no more.
#
# Debian: apt install --no-install-recommends bochs bochs-term busybox-static syslinux. The kernel is the newest of
# /boot/vmlinuz-*-cloud-amd64, else apt's linux-image-cloud-amd64, which is kept in target/avx512 and not installed.
set -euo pipefail

die() { echo "tests/avx512.sh: $1" >&2; exit 125; }
trap 'die "failed in line $LINENO"' ERR
(($#)) || { sed -n '2,6s/^# \?//p' "$0"; exit 125; }
program=$(command -v -- "$1") || die "no program $1"
shift
for tool in bochs:bochs busybox:busybox-static syslinux:syslinux mcopy:mtools; do
    command -v "${tool%:*}" >/dev/null || die "no ${tool%:*}: apt install --no-install-recommends ${tool#*:}"
done
kept=$(dirname "$0")/../target/avx512
work=$(mktemp -d)
seconds=${AVX512_SECONDS:-600}
bochs=
# Bochs does not heed gentler signals.
trap '[[ -z $bochs ]] || kill -KILL "$bochs" 2>/dev/null || true; rm -rf "$work"' EXIT

find_kernel() { { find /boot "$kept/boot" -name 'vmlinuz-*-cloud-amd64' 2>/dev/null || true; } | sort -V | tail -n 1; }

# What linux-image-cloud-amd64 depends on is the kernel itself.
fetch_kernel() {
    local package
    package=$(apt-cache depends linux-image-cloud-amd64 | grep -oE -m 1 'linux-image-[0-9].*') || true
    [[ -n $package ]] || { echo 'apt knows no linux-image-cloud-amd64: apt-get update'; return 1; }
    (cd "$work" && apt-get download "$package") && dpkg -x "$work"/linux-image-*.deb "$work/unpacked" &&
        mkdir -p "$kept/boot" && mv "$work"/unpacked/boot/vmlinuz-* "$kept/boot/"
}
kernel=$(find_kernel)
if [[ -z $kernel ]]; then
    fetch_kernel >"$work/log" 2>&1 || { cat "$work/log" >&2; die 'no kernel'; }
    kernel=$(find_kernel)
fi

# The root: the program, its libraries and loader, busybox, and an init.
root=$work/root
mkdir -p "$root"/{bin,dev,proc,sys,tmp}
cp -L "$program" "$root/program"
cp -L "$(command -v busybox)" "$root/bin/busybox"
for file in "$program" "$(command -v busybox)"; do
    { ldd "$file" 2>/dev/null || true; } | grep -oE '/[^ ]+' | while read -r library; do
        cp -L --parents "$library" "$root"
    done || true
done
printf '%q ' /program "$@" >"$root/command"

# stdout has a serial port of its own: the console adds a \r to each line, and the kernel may write to it. Both go
# through pipes, or the program would find itself on a terminal.
cat >"$root/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/tmp
mount -t devtmpfs dev /dev
mount -t proc proc /proc
mount -t sysfs sys /sys
ifconfig lo 127.0.0.1 up
cd /tmp
stty -F /dev/ttyS1 raw 115200
for flag in avx512f avx512bw avx512dq avx512vl avx512cd; do
    grep -qw "$flag" /proc/cpuinfo || { echo "the emulated CPU lacks $flag"; poweroff -f; }
done
{ { . /command; echo $? >/status; } </dev/null 2>&1 >&3 3>&- | cat; } 3>&1 >/dev/console | tee /stdout >/dev/ttyS1
echo "exit status $(cat /status), stdout of $(stat -c %s /stdout) bytes"
# Waits until that has been sent.
stty -F /dev/ttyS0 sane
poweroff -f
INIT
chmod +x "$root/init"
(cd "$root" && find . | busybox cpio -o -H newc 2>/dev/null) >"$work/initrd"

options=(
    # Each line on the console takes a quarter of a second. A panic ends Bochs.
    console=ttyS0,115200 loglevel=1 panic=-1 reboot=t
    # The sizes that Bochs 2.7 gives for these two are wrong, and Linux would do without AVX altogether.
    clearcpuid=xsaves,xsavec
    nokaslr edd=off mitigations=off init_on_alloc=0
    tsc=reliable
    # Self-tests of the cryptography and the certificate of the kernel's modules: 15 s and 4 s.
    cryptomgr.notests
    initcall_blacklist=load_system_certificate_list
)
cat >"$work/syslinux.cfg" <<BOOT
DEFAULT linux
LABEL linux
 LINUX vmlinuz
 INITRD initrd
 APPEND ${options[*]}
BOOT

# A disk without partitions, of cylinders of 16 heads and 63 sectors, which is how Bochs sees it too.
bytes=$(cat "$kernel" "$work/initrd" | wc -c)
cylinders=$((bytes / (16 * 63 * 512) + 10))
{
    mformat -C -i "$work/disk" -T $((cylinders * 16 * 63)) -h 16 -s 63 -H 0 :: &&
        syslinux --install "$work/disk" &&
        mcopy -i "$work/disk" "$kernel" ::vmlinuz &&
        mcopy -i "$work/disk" "$work/initrd" "$work/syslinux.cfg" ::
} >"$work/log" 2>&1 || { cat "$work/log" >&2; die 'no disk to boot from'; }

# ips only says how fast the timers run: with more, the delays in the kernel last longer, with less, there are more
# interrupts. Where there is no sound card, Bochs dies of its loudspeaker.
touch "$work/console" "$work/stdout"
cat >"$work/bochsrc" <<BOCHS
config_interface: textconfig
display_library: term
romimage: file=/usr/share/bochs/BIOS-bochs-latest, options=fastboot
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
cpu: model=corei7_skylake_x, count=1, ips=50000000, reset_on_triple_fault=0
memory: guest=512, host=512
clock: sync=none
boot: disk
ata0-master: type=disk, path="$work/disk", mode=flat, cylinders=$cylinders, heads=16, spt=63
com1: enabled=1, mode=file, dev="$work/console"
com2: enabled=1, mode=file, dev="$work/stdout"
log: "$work/bochs.log"
panic: action=fatal
error: action=ignore
info: action=ignore
sound: waveoutdrv=dummy, waveindrv=dummy, midioutdrv=dummy
plugin_ctrl: speaker=0, parallel=0, gameport=0, iodebug=0
BOCHS

# Debian's Bochs has the debugger built in, which waits to be told to continue. That the power is switched off
# counts as a panic: the exit status of Bochs says nothing.
TERM=linux bochs -f "$work/bochsrc" >"$work/log" 2>&1 <<<c &
bochs=$!
disown
late=
while kill -0 "$bochs" 2>/dev/null; do
    if ((SECONDS >= seconds)); then kill -KILL "$bochs"; late=1; break; fi
    sleep 0.1
done
bochs=

end='^exit status ([0-9]+), stdout of ([0-9]+) bytes$'
tr -d '\r' <"$work/console" >"$work/stderr"
sed -E "/$end/,\$d" "$work/stderr" >&2
cat "$work/stdout"
read -r exited length < <(sed -nE "s/$end/\1 \2/p" "$work/stderr" | tail -n 1) || {
    [[ -z $late ]] || die "not done after $seconds s"
    tail -n 5 "$work/log" >&2
    die 'the program did not end, see above'
}
(($(wc -c <"$work/stdout") == length)) || die "stdout is not the $length bytes that were written"
exit "$exited"
