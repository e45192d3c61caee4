import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Receives what Gangway pushes (B5), and prints a line for each action:
 *
 * <pre>WEBHOOK_SECRET=whsec_… java Receiver.java [PORT [FILE]]</pre>
 *
 * It checks the signature, drops repeats, keeps the order of a booking's actions, and answers once the push
 * is stored. It needs JDK 17 and no package.
 */
public class Receiver {
    static final long TOLERANCE = 5 * 60; // seconds; so that nobody can send again later what they have overheard
    static final int LONGEST = 16 << 20; // bytes of a body that are read, before anybody knows whose it is

    final String secret;
    final Inbox inbox;

    Receiver(String secret, Inbox inbox) {
        this.secret = secret;
        this.inbox = inbox;
    }

    public static void main(String[] args) throws Exception {
        String secret = System.getenv("WEBHOOK_SECRET");
        if (secret == null) throw new IllegalStateException("WEBHOOK_SECRET is missing: gangway outlet set printed it");
        int port = args.length > 0 ? Integer.parseInt(args[0]) : 8090;
        var receiver = new Receiver(secret, new Inbox(Path.of(args.length > 1 ? args[1] : "pushes.tsv")));
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/api/sync_flights", receiver::answer);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.start();
        System.out.println("receiving at http://127.0.0.1:" + port + "/api/sync_flights");
    }

    void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(receive(exchange), -1);
        }
    }

    /** Returns the status: 204 once the push is stored. Any other makes Gangway push again, for three days. */
    int receive(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestURI().getPath().equals("/api/sync_flights")) return 404;
        if (!exchange.getRequestMethod().equals("POST")) return 405;
        byte[] body = exchange.getRequestBody().readNBytes(LONGEST + 1);
        if (body.length > LONGEST) return 413;
        var headers = exchange.getRequestHeaders();
        String id = headers.getFirst("webhook-id");
        String stamp = headers.getFirst("webhook-timestamp"), signatures = headers.getFirst("webhook-signature");
        if (!isSigned(id, stamp, signatures, body)) return 401;
        Map<?, ?> record;
        String booking;
        int sequence;
        try {
            record = (Map<?, ?>) new Json(new String(body, UTF_8)).read();
            booking = (String) record.get("id");
            sequence = ((Double) ((Map<?, ?>) record.get("metadata")).get("sequence")).intValue();
            if (booking.isEmpty() || sequence < 1 || ((List<?>) record.get("actions")).size() != 1) return 400;
        } catch (RuntimeException | StackOverflowError e) {
            return 400; // no record of a booking
        }
        String outcome = inbox.keep(id, booking, sequence, body);
        System.out.println(record.get("locator") + " " + sequence + " " + record.get("state") + " " + outcome);
        return 204;
    }

    /**
     * Says whether a push carries a signature made with our secret. There may be several: while a secret is being
     * replaced, one is made with the old and one with the new.
     */
    boolean isSigned(String id, String stamp, String signatures, byte[] body) {
        if (id == null || id.isEmpty() || stamp == null || signatures == null || !stamp.matches("[0-9]{1,12}")
                || Math.abs(Instant.now().getEpochSecond() - Long.parseLong(stamp)) > TOLERANCE) return false;
        byte[] ours;
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
            mac.update((id + "." + stamp + ".").getBytes(ISO_8859_1));
            ours = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(ISO_8859_1);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        for (String given : signatures.split(" ")) {
            if (MessageDigest.isEqual(ours, given.getBytes(ISO_8859_1))) return true; // in constant time
        }
        return false;
    }

    /**
     * A file with every push that was received, a line each: webhook-id, booking, sequence and record, between tabs.
     * In your own system it is a table whose key is the webhook-id, written in the transaction that changes
     * the booking.
     */
    static class Inbox {
        final FileChannel file;
        final Set<String> seen = new HashSet<>(); // webhook-ids
        final Map<String, Integer> latest = new HashMap<>(); // the highest sequence of each booking

        Inbox(Path name) throws IOException {
            file = FileChannel.open(name, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            byte[] text = Files.readAllBytes(name);
            int whole = text.length;
            while (whole > 0 && text[whole - 1] != '\n') whole--;
            for (String line : new String(text, 0, whole, UTF_8).split("\n")) {
                String[] column = line.split("\t", 4);
                if (column.length == 4) note(column[0], column[1], Integer.parseInt(column[2]));
            }
            // We were killed while we wrote the rest: nobody was told that it is stored, so it comes again.
            file.truncate(whole).position(whole);
        }

        /** Remembers a push, and says whether the booking is now as its record says. */
        String note(String id, String booking, int sequence) {
            seen.add(id);
            // If a later action is known, this one goes into the booking's history only.
            if (sequence < latest.getOrDefault(booking, 0)) return "late";
            latest.put(booking, sequence);
            return "";
        }

        /** Stores a push, unless it was received before. When this returns, it is on the disk. */
        synchronized String keep(String id, String booking, int sequence, byte[] body) {
            if (seen.contains(id)) return "repeat";
            // Line breaks and tabs only ever stand between the tokens of JSON.
            String line = new String(body, UTF_8).replaceAll("[\\r\\n\\t]", " ");
            try {
                line = id + "\t" + booking + "\t" + sequence + "\t" + line + "\n";
                var bytes = ByteBuffer.wrap(line.getBytes(UTF_8));
                while (bytes.hasRemaining()) file.write(bytes);
                file.force(false);
            } catch (IOException e) {
                System.err.println("what cannot be stored is not answered, and comes again: " + e.getMessage());
                Runtime.getRuntime().halt(1);
            }
            return note(id, booking, sequence);
        }
    }

    /** Reads JSON, which the JDK does not: in your own system a library does. */
    static class Json {
        final String text;
        int at;

        Json(String text) { this.text = text; }

        Object read() {
            Object value = value();
            if (next() != 0) throw new IllegalArgumentException("something follows the record");
            return value;
        }

        Object value() {
            switch (next()) {
                case '{': return object();
                case '[': return array();
                case '"': return string();
                default:
                    int from = at;
                    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
                    String word = text.substring(from, at);
                    return switch (word) {
                        case "true" -> true;
                        case "false" -> false;
                        case "null" -> null;
                        default -> Double.valueOf(word);
                    };
            }
        }

        Map<String, Object> object() {
            var members = new HashMap<String, Object>();
            for (take('{'); next() != '}'; ) {
                if (!members.isEmpty()) take(',');
                String name = string();
                take(':');
                members.put(name, value());
            }
            take('}');
            return members;
        }

        List<Object> array() {
            var items = new ArrayList<Object>();
            for (take('['); next() != ']'; ) {
                if (!items.isEmpty()) take(',');
                items.add(value());
            }
            take(']');
            return items;
        }

        String string() {
            var s = new StringBuilder();
            for (take('"'); ; at++) {
                if (at == text.length()) throw new IllegalArgumentException("a text has no end");
                char c = text.charAt(at);
                if (c == '"') break;
                if (c == '\\') {
                    c = text.charAt(++at);
                    int plain = "bfnrt".indexOf(c);
                    if (plain >= 0) c = "\b\f\n\r\t".charAt(plain);
                    else if (c == 'u') {
                        c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    }
                }
                s.append(c);
            }
            at++;
            return s.toString();
        }

        /** Returns the next character that is no blank; 0 at the end. */
        char next() {
            while (at < text.length() && text.charAt(at) <= ' ') at++;
            return at < text.length() ? text.charAt(at) : 0;
        }

        void take(char c) {
            if (next() != c) throw new IllegalArgumentException(c + " is missing");
            at++;
        }
    }
}
