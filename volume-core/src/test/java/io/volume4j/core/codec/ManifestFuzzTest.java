package io.volume4j.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.volume4j.spi.model.ApiObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Whatever is done to a manifest, reading it gives objects that can be written again, or one line that says why not,
 * soon. Every mutation comes from a seed that a failure prints.
 */
class ManifestFuzzTest {
    private static final int MUTATIONS = 2_000;
    private static final Duration LONGEST = Duration.ofMillis(500);
    private static final String[] TOKENS = {
        "\n",
        "\n  ",
        "\t",
        "- ",
        ": ",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "'",
        "|",
        ">",
        "&a ",
        "*a",
        "!!map ",
        "<<: ",
        "? ",
        "---\n",
        "...\n",
        "%YAML 9.9\n",
        "#",
        "\u0000",
        "\uFEFF",
        "\u202E",
        "\\u0000",
        "\"\\U00110000\"",
        "~",
        ".inf",
        "-9e999999999",
        "0x",
        "9".repeat(200),
        "\uD83D\uDE00",
        "null",
        "kind: ",
        "items: ",
        "kind: List\n",
        ",",
        "@",
        "`"
    };

    @Test
    void givesObjectsOrOneLineForEveryMutation() throws IOException {
        List<byte[]> seeds = seeds();
        List<Duration> times = new ArrayList<>();
        int read = 0;
        for (int seed = 0; seed < MUTATIONS; seed++) {
            byte[] bytes = mutated(seeds, new Random(seed));
            long start = System.nanoTime();
            read += outcome(seed, bytes) ? 1 : 0;
            times.add(Duration.ofNanos(System.nanoTime() - start));
        }
        assertThat(read).as("mutations that are still manifests").isBetween(100, MUTATIONS - 500);
        // A pause of the machine may hit some; a text that takes long does so always.
        for (int seed = 0; seed < MUTATIONS; seed++) {
            if (times.get(seed).compareTo(LONGEST) > 0) {
                assertThat(fastest(mutated(seeds, new Random(seed))))
                        .as("seed %d", seed)
                        .isLessThan(LONGEST);
            }
        }
    }

    @Test
    void refusesABombOfAliasesAtOnce() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("a")
                    .append(i)
                    .append(": &a")
                    .append(i)
                    .append(" [")
                    .append("*a")
                    .append(i - 1)
                    .append(",*a")
                    .append(i - 1)
                    .append("]\n");
        }
        assertThat(fastest(bomb.toString().getBytes(StandardCharsets.UTF_8))).isLessThan(LONGEST);
    }

    /** The time that it takes when nothing else wants the machine; tried until it is short enough or clearly is not. */
    private static Duration fastest(byte[] bytes) {
        Duration fastest = Duration.ofDays(1);
        for (int i = 0; i < 50 && fastest.compareTo(LONGEST) > 0; i++) {
            long start = System.nanoTime();
            outcome(-1, bytes);
            Duration time = Duration.ofNanos(System.nanoTime() - start);
            fastest = time.compareTo(fastest) < 0 ? time : fastest;
        }
        return fastest;
    }

    /** Whether the bytes are a manifest; fails if they are neither that nor refused as they should be. */
    private static boolean outcome(int seed, byte[] bytes) {
        List<ApiObject> objects;
        try {
            objects = Manifests.read("fuzz.yaml", new ByteArrayInputStream(bytes));
        } catch (ManifestException refused) {
            assertThat(refused.getMessage())
                    .as("seed %d", seed)
                    .isNotBlank()
                    .hasSizeLessThan(1_100)
                    .startsWith("fuzz.yaml")
                    .doesNotContainPattern("[\\p{Cntrl}\\u2028\\u2029\\u202E]");
            return false;
        } catch (IOException | RuntimeException | StackOverflowError other) {
            return fail("seed " + seed + " must give objects or a ManifestException", other);
        }
        for (ApiObject object : objects) {
            assertThat(Manifests.read("again.yaml", Manifests.toYaml(object)))
                    .as("seed %d", seed)
                    .containsExactly(object);
            assertThat(Manifests.read("again.json", Manifests.toJson(object)))
                    .as("seed %d", seed)
                    .containsExactly(object);
        }
        return true;
    }

    private static List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        for (String file : ManifestFiles.ALL) {
            String text = ManifestFiles.text(file);
            seeds.add(text.getBytes(StandardCharsets.UTF_8));
            for (ApiObject object : Manifests.read(file, text)) {
                seeds.add(Manifests.toJson(object).getBytes(StandardCharsets.UTF_8));
                seeds.add(Manifests.toYaml(object).getBytes(StandardCharsets.UTF_8));
            }
        }
        return seeds;
    }

    private static byte[] mutated(List<byte[]> seeds, Random random) {
        byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            bytes = mutatedOnce(bytes, seeds, random);
        }
        return bytes;
    }

    private static byte[] mutatedOnce(byte[] bytes, List<byte[]> seeds, Random random) {
        int at = random.nextInt(bytes.length + 1);
        switch (random.nextInt(7)) {
            case 0: // a flipped bit
                byte[] flipped = bytes.clone();
                if (at < flipped.length) {
                    flipped[at] ^= (byte) (1 << random.nextInt(8));
                }
                return flipped;
            case 1: // truncation
                return slice(bytes, 0, at);
            case 2: // a token that means something
                return joined(
                        slice(bytes, 0, at),
                        TOKENS[random.nextInt(TOKENS.length)].getBytes(StandardCharsets.UTF_8),
                        slice(bytes, at, bytes.length));
            case 3: // depth
                String opening = new String[] {"[", "{a: ", "- ", "? ", "{\"a\":"}[random.nextInt(5)];
                return joined(
                        slice(bytes, 0, at),
                        opening.repeat(random.nextInt(3_000)).getBytes(StandardCharsets.UTF_8),
                        slice(bytes, at, bytes.length));
            case 4: // a piece cut out
                return joined(
                        slice(bytes, 0, at),
                        slice(bytes, Math.min(bytes.length, at + random.nextInt(40)), bytes.length));
            case 5: // a piece of another document
                byte[] other = seeds.get(random.nextInt(seeds.size()));
                int from = random.nextInt(other.length);
                return joined(
                        slice(bytes, 0, at),
                        slice(other, from, Math.min(other.length, from + random.nextInt(200))),
                        slice(bytes, at, bytes.length));
            default: // any byte
                return joined(
                        slice(bytes, 0, at), new byte[] {(byte) random.nextInt(256)}, slice(bytes, at, bytes.length));
        }
    }

    private static byte[] slice(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream result = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            result.writeBytes(part);
        }
        return result.toByteArray();
    }
}
