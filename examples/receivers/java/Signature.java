import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import static java.nio.charset.StandardCharsets.UTF_8;

/** The signature of a push: three of its headers and the body as it came, byte for byte. */
final class Signature {
    static final long TOLERANCE = 5 * 60; // seconds: nobody can send again later what they have overheard

    /** Says whether one of the signatures was made with the outlet's secret (whsec_…). */
    static boolean isRight(String secret, String id, String timestamp, String signatures, byte[] body)
            throws GeneralSecurityException {
        if (id == null || id.isEmpty() || timestamp == null || signatures == null || !timestamp.matches("[0-9]{1,12}")
                || Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE) return false;
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
        var ours = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
        var right = false; // while the secret is being replaced there are two, and either may be yours
        for (var given : signatures.split(" ")) right |= MessageDigest.isEqual(ours, given.getBytes(UTF_8));
        return right;
    }
}
