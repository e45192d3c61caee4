package access

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"time"

	"gangway/internal/background"
	"gangway/internal/web"

	"golang.org/x/crypto/argon2"
)

// The cost of checking one password: OWASP's minimum for argon2id.
const (
	argonMemory  = 19 * 1024 // KiB
	argonPasses  = 2
	argonThreads = 1
	argonBytes   = 32
)

// hashing bounds how many passwords are hashed at once, so that a flood of sign-ins
// cannot take all memory: argon2 needs 19 MiB for each. waiting bounds how many wait
// for that, so that nobody waits long.
var (
	hashing = make(chan struct{}, min(runtime.NumCPU(), 4))
	waiting = make(chan struct{}, 64)
)

// tidier returns the memory that hashing leaves behind.
var tidier background.Tidier

// letters are those of which passwords and tokens are made.
var letters = base32.StdEncoding.WithPadding(base32.NoPadding)

// PasswordOf returns the password of 100 bits that follows from random bytes, and can be read out.
func PasswordOf(random []byte) string {
	s := strings.ToLower(letters.EncodeToString(random)[:20])
	return s[:5] + "-" + s[5:10] + "-" + s[10:15] + "-" + s[15:]
}

// NewPassword is PasswordOf for a password that nobody asks for twice.
func NewPassword() string { return PasswordOf(newSeed()) }

// TokenOf returns a token of 160 bits that follows from random bytes, as addresses have it. HashKey is what is stored.
func TokenOf(random []byte) string { return strings.ToLower(letters.EncodeToString(random)[:32]) }

// HashPassword returns what to store for a password.
func HashPassword(plain string) string {
	hashing <- struct{}{}
	defer func() { <-hashing }()
	defer tidier.Leave(argonMemory << 10)
	salt := make([]byte, 16)
	rand.Read(salt)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonPasses, argonThreads,
		base64.RawStdEncoding.EncodeToString(salt),
		base64.RawStdEncoding.EncodeToString(argon2.IDKey([]byte(plain), salt, argonPasses, argonMemory, argonThreads,
			argonBytes)))
}

// TryPassword reports whether plain is the password that hash was made from. It
// refuses when too many are being checked.
func TryPassword(ctx context.Context, hash, plain string) (bool, error) {
	select {
	case waiting <- struct{}{}:
		defer func() { <-waiting }()
	default:
		return false, web.Overloaded(5*time.Second, "too many people are signing in at this moment. Please try again "+
			"in a few seconds")
	}
	select {
	case hashing <- struct{}{}:
		defer func() { <-hashing }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	return matches(hash, plain), nil
}

// matches reads the cost from hash, so that old hashes stay valid when ours grows.
func matches(hash, plain string) bool {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return false
	}
	var memory, passes uint32
	var threads uint8
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &passes, &threads); err != nil {
		return false
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil || len(want) == 0 {
		return false
	}
	defer tidier.Leave(int64(memory) << 10)
	got := argon2.IDKey([]byte(plain), salt, passes, memory, threads, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1
}
