package access

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"

	"gangway"

	"golang.org/x/crypto/argon2"
)

// The cost of trying one password: what OWASP asks of argon2id at least.
const (
	argonMemory  = 19 * 1024 // KiB
	argonPasses  = 2
	argonThreads = 1
	argonBytes   = 32
)

// minPassword is the shortest password that a person may choose, as NIST SP
// 800-63B has it; longer ones beat rules about what they must contain.
const minPassword = 8

// hashing bounds how many passwords are hashed at once, so that a flood of
// sign-ins takes its turn instead of all memory.
var hashing = make(chan struct{}, 2*runtime.NumCPU())

// NewPassword returns a password of 100 random bits that can be read out.
func NewPassword() string {
	s := strings.ToLower(rand.Text()[:20])
	return s[:5] + "-" + s[5:10] + "-" + s[10:15] + "-" + s[15:]
}

// CheckNewPassword says whether a person may choose plain as her password.
func CheckNewPassword(plain string) error {
	if len([]rune(plain)) < minPassword {
		return gangway.Errorf(gangway.Invalid, "a password has at least %d characters", minPassword)
	}
	return nil
}

// HashPassword returns what to store of a password.
func HashPassword(plain string) string {
	salt := make([]byte, 16)
	rand.Read(salt)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonPasses, argonThreads,
		base64.RawStdEncoding.EncodeToString(salt),
		base64.RawStdEncoding.EncodeToString(argon(plain, salt, argonPasses, argonMemory, argonThreads, argonBytes)))
}

// CheckPassword reports whether plain is the password that hash was made of.
// It takes its cost from hash, so that old hashes stay good when ours grows.
func CheckPassword(hash, plain string) bool {
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
	got := argon(plain, salt, passes, memory, threads, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1
}

func argon(plain string, salt []byte, passes, memory uint32, threads uint8, size uint32) []byte {
	hashing <- struct{}{}
	defer func() { <-hashing }()
	return argon2.IDKey([]byte(plain), salt, passes, memory, threads, size)
}
