using System;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>The signature of a push: three of its headers and the body as it came, byte for byte.</summary>
static class Signature
{
    const long Tolerance = 5 * 60; // seconds: nobody can send again later what they have overheard

    /// <summary>Says whether one of the signatures was made with the outlet's secret (whsec_…).</summary>
    public static bool IsRight(string secret, string id, string timestamp, string signatures, byte[] body)
    {
        if (string.IsNullOrEmpty(id) || timestamp == null || signatures == null
            || !Regex.IsMatch(timestamp, "^[0-9]{1,12}$")
            || Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp)) > Tolerance) return false;
        using (var mac = new HMACSHA256(Convert.FromBase64String(Regex.Replace(secret, "^whsec_", ""))))
        {
            var signed = Encoding.UTF8.GetBytes(id + "." + timestamp + ".").Concat(body).ToArray();
            var ours = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(mac.ComputeHash(signed)));
            // While the secret is being replaced there are two, and either may be yours.
            return signatures.Split(' ').Any(given =>
                CryptographicOperations.FixedTimeEquals(ours, Encoding.UTF8.GetBytes(given)));
        }
    }
}
