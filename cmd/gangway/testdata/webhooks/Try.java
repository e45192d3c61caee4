import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Base64;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Reads one push a line: secret, id, timestamp, signatures and body, each in base64, and prints what Signature says. */
final class Try {
    public static void main(String[] args) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            var part = new byte[5][];
            for (int i = 0; i < 5; i++) part[i] = Base64.getDecoder().decode(line.split(" ", -1)[i]);
            System.out.println(Signature.isRight(text(part[0]), text(part[1]), text(part[2]), text(part[3]), part[4]));
        }
    }

    static String text(byte[] part) { return new String(part, UTF_8); }
}
