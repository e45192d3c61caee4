# Plays a machine of its own, an overlay of this one that is in memory, and runs /install/commands there:
#
#   unshare --mount --pid --fork --kill-child sh machine.sh HOME INSTALL
#
# HOME is an empty folder; what INSTALL has is in /install. systemctl is played: it checks the unit, and starts its
# command as its user in a mount namespace like the unit's.
set -eu
mount -t tmpfs tmpfs "$1"
mkdir "$1/up" "$1/work" "$1/root"
mount -t overlay -o "lowerdir=/,upperdir=$1/up,workdir=$1/work" overlay "$1/root"
mount -t proc proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
mkdir -p "$1/root/install" "$1/root/tmp/$$"
cp -r "$2/." "$1/root/install"
cat >"$1/root/usr/local/sbin/systemctl" <<'S'
#!/bin/sh
set -eu
[ "$*" = "enable --now gangway" ] || exit 0
unit=/usr/lib/systemd/system/gangway.service
[ -e "$unit" ] || unit=/etc/systemd/system/gangway.service
systemd-analyze verify "$unit"
: >/install/log
setting() { sed -n "s/^$1=//p" "$unit"; }
unshare --mount sh -eu -c '
	mount --bind "$2" "$2"
	[ "$3" != yes ] || mount -t tmpfs tmpfs /tmp
	mount -o remount,bind,ro /
	exec setpriv --reuid "$1" --regid "$1" --init-groups --no-new-privs env -i $(sed "/^#/d" "$4") $5
' sh "$(setting User)" "$(setting ReadWritePaths)" "$(setting PrivateTmp)" "$(setting EnvironmentFile)" \
	"$(setting ExecStart)" >/install/log 2>&1 &
until grep -q msg=serving /install/log; do
	kill -0 $! && sleep 0.1
done
S
chmod +x "$1/root/usr/local/sbin/systemctl"
exec chroot "$1/root" sh -eu -c 'cd /install && exec sh -eux commands'
