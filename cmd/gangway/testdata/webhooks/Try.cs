using System;
using System.Linq;
using System.Text;

/// <summary>Reads one push a line: secret, id, timestamp, signatures and body, each in base64, and prints what Signature says.</summary>
static class Try
{
    static void Main()
    {
        for (string line; (line = Console.ReadLine()) != null; )
        {
            var part = line.Split(' ').Select(Convert.FromBase64String).ToArray();
            var text = part.Select(Encoding.UTF8.GetString).ToArray();
            Console.WriteLine(Signature.IsRight(text[0], text[1], text[2], text[3], part[4]) ? "true" : "false");
        }
    }
}
