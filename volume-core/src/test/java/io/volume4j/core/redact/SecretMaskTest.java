package io.volume4j.core.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which spellings of a secret a text may not show. */
class SecretMaskTest {
    private static final String PASSWORD = "p@ss&w\"ö'r\\d/+<x> $y";
    private static final String KEY = "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----\n";
    private static final SecretMask MASK = SecretMask.of(List.of(PASSWORD, KEY, "tok4n", "xy7", " ", ""));

    /** Each as the named program writes {@link #PASSWORD}. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            as it is                    | p@ss&w"ö'r\\d/+<x> $y
            JSON of Go (json.Marshal)   | p@ss\\u0026w\\"ö'r\\\\d/+\\u003cx\\u003e $y
            JSON of PHP                 | p@ss&w\\"\\u00f6'r\\\\d\\/+<x> $y
            JSON of Python, upper case  | p@ss&w\\"\\u00F6'r\\\\d/+<x> $y
            JSON in JSON                | p@ss\\\\u0026w\\\\\\"ö'r\\\\\\\\d/+\\\\u003cx\\\\u003e $y
            Go %q                       | p@ss&w\\"ö'r\\\\d/+<x> $y
            Go %+q                      | p@ss&w\\"\\u00f6'r\\\\d/+<x> $y
            bytes of Python             | p@ss&w"\\xc3\\xb6\\'r\\\\d/+<x> $y
            octal of C, git and mount   | p@ss&w"\\303\\266'r\\134d/+<x>\\040$y
            Rust, JavaScript            | p@ss&w\\"\\u{f6}'r\\\\d/+<x> $y
            single quotes of a shell    | p@ss&w"ö'\\''r\\d/+<x> $y
            shlex.quote of Python       | p@ss&w"ö'"'"'r\\d/+<x> $y
            printf %q of a shell        | p@ss\\&w\\"ö\\'r\\\\d/+\\<x\\>\\ \\$y
            double quotes of a shell    | p@ss&w\\"ö'r\\\\d/+<x> \\$y
            YAML, SQL                   | p@ss&w"ö''r\\d/+<x> $y
            CSV                         | p@ss&w""ö'r\\d/+<x> $y
            url.QueryEscape of Go       | p%40ss%26w%22%C3%B6%27r%5Cd%2F%2B%3Cx%3E+%24y
            url.PathEscape of Go        | p@ss&w%22%C3%B6%27r%5Cd%2F+%3Cx%3E%20$y
            encodeURIComponent          | p%40ss%26w%22%C3%B6'r%5Cd%2F%2B%3Cx%3E%20%24y
            percent, lower case         | p%40ss%26w%22%c3%b6%27r%5cd%2f%2b%3cx%3e+%24y
            percent twice               | p%2540ss%2526w%2522%25C3%25B6%2527r%255Cd%252F%252B%253Cx%253E%2520%2524y
            XML                         | p@ss&amp;w&quot;ö&apos;r\\d/+&lt;x&gt; $y
            html.EscapeString of Go     | p@ss&amp;w&#34;ö&#39;r\\d/+&lt;x&gt; $y
            XML, hexadecimal            | p@ss&#x26;w&#x22;&#xF6;&#x27;r\\d/+&#x3c;x&#x3E; $y
            """)
    void hidesEverySpelling(String program, String spelling) {
        assertThat(MASK.hide("login with " + spelling + " failed"))
                .as(program)
                .isEqualTo("login with " + SecretMask.HIDDEN + " failed");
    }

    static Stream<Arguments> packed() {
        byte[] bytes = PASSWORD.getBytes(StandardCharsets.UTF_8);
        HexFormat hex = HexFormat.of();
        return Stream.of(
                Arguments.of("base64", Base64.getEncoder().encodeToString(bytes)),
                Arguments.of("base64 for URLs", Base64.getUrlEncoder().encodeToString(bytes)),
                Arguments.of("user and password", base64("me:" + PASSWORD)),
                Arguments.of("another user and password", base64("you:" + PASSWORD + ":")),
                Arguments.of("third start", base64("they:" + PASSWORD)),
                Arguments.of("JSON in base64", base64("{\"p\":\"p@ss\\u0026w\\\"ö'r\\\\d/+\\u003cx\\u003e $y\"}")),
                Arguments.of(
                        "base64 in a URL", base64(PASSWORD).replace("+", "%2B").replace("/", "%2f")),
                Arguments.of("hex", hex.formatHex(bytes)),
                Arguments.of("hex, upper case", hex.withUpperCase().formatHex(bytes)),
                Arguments.of("hex, cut in a digit pair", hex.formatHex(bytes).substring(1)),
                Arguments.of("hex with colons", HexFormat.ofDelimiter(":").formatHex(bytes)),
                Arguments.of(
                        "hex as in C",
                        HexFormat.ofDelimiter(", ").withPrefix("0x").formatHex(bytes)),
                Arguments.of("bytes of Go", unsigned(bytes)),
                Arguments.of("bytes of Java", Arrays.toString(bytes)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("packed")
    void hidesBytesHoweverTheyAreWritten(String writing, String text) {
        String clean = MASK.hide("said " + text + " twice");

        assertThat(clean).as(writing).startsWith("said ").endsWith(" twice").contains(SecretMask.HIDDEN);
        assertThat(clean.length()).as("%s: %s", writing, clean).isLessThan(30);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            first 8 bytes       | pass=p@ss&w"ö… cut            | pass=***… cut
            last 8 bytes        | …+<x> $y cut                  | …+<x> $y cut
            last 9 bytes        | …/+<x> $y cut                 | …*** cut
            fewer               | pass=p@ss&w… cut              | pass=p@ss&w… cut
            a cut encoding      | p=p%40ss%26w%22%C3 cut        | p=*** cut
            16 bytes inside     | ss&w"ö'r\\d/+<x>!             | ***!
            fewer inside        | ss&w"ö'r\\d/+< is              | ss&w"ö'r\\d/+< is
            line of a key       | bad: MIIEvQIBADANBgkq         | bad: ***
            half a line         | bad: MIIEvQIB                 | bad: ***
            """)
    void hidesPartsThatACutLeaves(String part, String text, String clean) {
        assertThat(MASK.hide(text)).as(part).isEqualTo(clean);
    }

    @Test
    void hidesWholeKeysOnOneLineAndOnMany() {
        assertThat(MASK.hide("key " + KEY + "is bad")).isEqualTo("key ***is bad");
        assertThat(MASK.hide("key \"" + KEY.replace("\n", "\\n") + "\" is bad")).isEqualTo("key \"***\" is bad");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            code xy7, xy78 and axy7   | code ***, xy78 and axy7
            code eHk3                 | code eHk3
            with mytok4ns             | with my***s
            Basic dG9rNG4=            | Basic ***=
            %74ok4n                   | ***
            END of it                 | END of it
            nothing of it             | nothing of it
            """)
    void hidesShortValuesWholeAndTheShortestAsWords(String text, String clean) {
        assertThat(MASK.hide(text)).isEqualTo(clean);
    }

    @Test
    void hidesInALongTextWhatTheCutLeaves() {
        String text = "x".repeat(SecretMask.MAX_TEXT - 10) + PASSWORD + "y".repeat(100_000);

        assertThat(MASK.hide(text)).hasSizeLessThan(SecretMask.MAX_TEXT + 10).doesNotContain("p@ss");
    }

    @Test
    void leavesTextsAsTheyAreWithoutSecrets() {
        assertThat(SecretMask.of(List.of("", "  ")).isEmpty()).isTrue();
        String text = "mount: /dev/sdb: can't read superblock & 100% of \\x it, eHk3 7061737300";
        assertThat(MASK.hide(text)).isSameAs(text);
        assertThat(MASK.hide("")).isEmpty();
    }

    /** A megabyte of one letter in a text of the same letter would be 16,000 million comparisons. */
    @Test
    void takesNoLongerForRepetitiveValues() {
        SecretMask repetitive = SecretMask.of(List.of("a".repeat(1_000_000), "ab".repeat(500_000)));

        assertThat(repetitive.hide("a".repeat(SecretMask.MAX_TEXT))).isEqualTo("***");
    }

    /** Whatever surrounds it, whatever it consists of, and whichever two encodings lie on top of each other. */
    @Test
    void hidesRandomSecretsInTwoLayers() {
        Random random = new Random(20);
        for (int i = 0; i < 2_000; i++) {
            String secret = random(random, 16 + random.nextInt(20));
            String text = random(random, random.nextInt(9)) + "=" + secret + "&" + random(random, random.nextInt(9));
            for (int layer = 0; layer < 2; layer++) {
                text = encoded(text, random.nextInt(6));
            }
            String clean = SecretMask.of(List.of(secret)).hide(text);
            assertThat(clean).as("%s in %s", secret, text).contains(SecretMask.HIDDEN);
            assertThat(clean).as("%s in %s", secret, text).hasSizeLessThan(text.length());
        }
    }

    private static String encoded(String text, int encoding) {
        return switch (encoding) {
            case 0 -> "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
            case 1 -> URLEncoder.encode(text, StandardCharsets.UTF_8);
            case 2 -> text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&#34;");
            case 3 -> "'" + text.replace("'", "'\\''") + "'";
            case 4 ->
                text.chars()
                        .mapToObj(c -> c < 128 && c != '\\' ? Character.toString(c) : "\\u%04x".formatted(c))
                        .reduce("", String::concat);
            default -> text;
        };
    }

    private static String random(Random random, int length) {
        String alphabet = "abcXYZ019 &%+\\\"'<>/=;:$äß€";
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String unsigned(byte[] bytes) {
        StringBuilder text = new StringBuilder("[");
        for (byte each : bytes) {
            text.append(text.length() == 1 ? "" : " ").append(each & 0xff);
        }
        return text.append(']').toString();
    }
}
