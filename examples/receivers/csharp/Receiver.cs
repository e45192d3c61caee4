using System;
using System.Collections.Generic;
using System.Collections.Specialized;
using System.IO;
using System.Linq;
using System.Net;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using System.Xml;

/// <summary>
/// Receives what Gangway pushes (B5), and prints a line for each action:
/// <c>WEBHOOK_SECRET=whsec_… dotnet run [PORT [FILE]]</c>
///
/// It checks the signature, drops repeats, keeps the order of a booking's actions, and answers once the push
/// is stored. It needs .NET or Mono, and no package.
/// </summary>
static class Receiver
{
    const long Tolerance = 5 * 60; // seconds; so that nobody can send again later what they have overheard
    const int Longest = 16 << 20; // bytes of a body that are read, before anybody knows whose it is

    // A record is not nested deeply; what is would take all of the stack.
    static readonly XmlDictionaryReaderQuotas Limits = new XmlDictionaryReaderQuotas
    {
        MaxDepth = 64, MaxStringContentLength = Longest, MaxArrayLength = Longest, MaxBytesPerRead = Longest,
        MaxNameTableCharCount = Longest
    };

    static string secret;
    static Inbox inbox;

    static void Main(string[] args)
    {
        secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET")
            ?? throw new InvalidOperationException("WEBHOOK_SECRET is missing: gangway outlet set printed it");
        var port = args.Length > 0 ? args[0] : "8090";
        inbox = new Inbox(args.Length > 1 ? args[1] : "pushes.tsv");
        var server = new HttpListener();
        server.Prefixes.Add("http://127.0.0.1:" + port + "/");
        server.Start();
        Console.WriteLine("receiving at http://127.0.0.1:" + port + "/api/sync_flights");
        while (true)
        {
            var context = server.GetContext();
            Task.Run(() => Answer(context));
        }
    }

    static void Answer(HttpListenerContext context)
    {
        try
        {
            context.Response.StatusCode = Receive(context.Request);
            context.Response.Close();
        }
        catch (Exception e) when (e is IOException || e is HttpListenerException || e is ObjectDisposedException)
        {
            context.Response.Abort(); // whoever pushed has gone, and comes again
        }
    }

    /// <summary>
    /// Returns the status: 204 once the push is stored. Any other makes Gangway push again, for three days.
    /// </summary>
    static int Receive(HttpListenerRequest request)
    {
        if (request.HttpMethod != "POST" || request.Url.AbsolutePath != "/api/sync_flights") return 404;
        if (request.ContentLength64 < 0 || request.ContentLength64 > Longest) return 413;
        var copy = new MemoryStream();
        request.InputStream.CopyTo(copy);
        var body = copy.ToArray();
        if (!IsSigned(request.Headers, body)) return 401;
        var document = new XmlDocument();
        XmlElement record;
        string booking;
        int sequence;
        try
        {
            document.Load(JsonReaderWriterFactory.CreateJsonReader(body, Limits));
            record = document.DocumentElement;
            booking = record["id"].InnerText;
            sequence = int.Parse(record["metadata"]["sequence"].InnerText);
            if (booking == "" || sequence < 1 || record["actions"].ChildNodes.Count != 1) return 400;
        }
        catch (Exception)
        {
            return 400; // no record of a booking
        }
        var outcome = inbox.Keep(request.Headers["webhook-id"], booking, sequence, body);
        Console.WriteLine(string.Join(" ", record["locator"]?.InnerText, sequence, record["state"]?.InnerText, outcome));
        return 204;
    }

    /// <summary>
    /// Says whether a push carries a signature made with our secret. There may be several: while a secret is being
    /// replaced, one is made with the old and one with the new.
    /// </summary>
    static bool IsSigned(NameValueCollection headers, byte[] body)
    {
        string id = headers["webhook-id"], stamp = headers["webhook-timestamp"];
        var signatures = headers["webhook-signature"];
        if (string.IsNullOrEmpty(id) || stamp == null || signatures == null || !Regex.IsMatch(stamp, "^[0-9]{1,12}$")
            || Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(stamp)) > Tolerance) return false;
        var key = Convert.FromBase64String(secret.StartsWith("whsec_") ? secret.Substring("whsec_".Length) : secret);
        using (var mac = new HMACSHA256(key))
        {
            var signed = Encoding.UTF8.GetBytes(id + "." + stamp + ".").Concat(body).ToArray();
            var ours = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(mac.ComputeHash(signed)));
            return signatures.Split(' ').Any(given => // compared in constant time
                CryptographicOperations.FixedTimeEquals(ours, Encoding.UTF8.GetBytes(given)));
        }
    }
}

/// <summary>
/// A file with every push that was received, a line each: webhook-id, booking, sequence and record, between tabs.
/// In your own system it is a table whose key is the webhook-id, written in the transaction that changes the booking.
/// </summary>
sealed class Inbox
{
    readonly FileStream file;
    readonly HashSet<string> seen = new HashSet<string>(); // webhook-ids
    readonly Dictionary<string, int> latest = new Dictionary<string, int>(); // the highest sequence of each booking

    public Inbox(string name)
    {
        file = new FileStream(name, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.Read);
        var text = new byte[file.Length];
        for (int at = 0, n; at < text.Length && (n = file.Read(text, at, text.Length - at)) > 0; ) at += n;
        var whole = Array.LastIndexOf(text, (byte)'\n') + 1;
        var lines = Encoding.UTF8.GetString(text, 0, whole).Split('\n');
        foreach (var line in lines.Take(lines.Length - 1))
        {
            var column = line.Split(new[] { '\t' }, 4);
            Note(column[0], column[1], int.Parse(column[2]));
        }
        // We were killed while we wrote the rest: nobody was told that it is stored, so it comes again.
        file.SetLength(whole);
        file.Seek(0, SeekOrigin.End);
    }

    /// <summary>Remembers a push, and says whether the booking is now as its record says.</summary>
    string Note(string id, string booking, int sequence)
    {
        seen.Add(id);
        // If a later action is known, this one goes into the booking's history only.
        if (latest.TryGetValue(booking, out var known) && sequence < known) return "late";
        latest[booking] = sequence;
        return "";
    }

    /// <summary>Stores a push, unless it was received before. When this returns, it is on the disk.</summary>
    public string Keep(string id, string booking, int sequence, byte[] body)
    {
        lock (seen)
        {
            if (seen.Contains(id)) return "repeat";
            // Line breaks and tabs only ever stand between the tokens of JSON.
            var record = Regex.Replace(Encoding.UTF8.GetString(body), "[\r\n\t]", " ");
            var line = Encoding.UTF8.GetBytes(id + "\t" + booking + "\t" + sequence + "\t" + record + "\n");
            try
            {
                file.Write(line, 0, line.Length);
                file.Flush(true);
            }
            catch (IOException e)
            {
                Console.Error.WriteLine("what cannot be stored is not answered, and comes again: " + e.Message);
                Environment.Exit(1);
            }
            return Note(id, booking, sequence);
        }
    }
}
