package io.volume4j.csi.internal.redact;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.csi.internal.proto.NodeStageVolumeRequest;
import io.volume4j.csi.internal.proto.VolumeCapability.MountVolume;
import io.volume4j.csi.testing.Requests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretScrubberTest {
    private static final String KEY = "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----\n";

    private final SecretScrubber scrubber = SecretScrubber.of(Requests.stage().toBuilder()
            .putSecrets("password", "p@ss \"w\\rd/+")
            .putSecrets("short", "xy7")
            .putSecrets("empty", "")
            .putSecrets("key", KEY)
            .setVolumeCapability(Requests.mounted().toBuilder()
                    .setMount(MountVolume.newBuilder()
                            .addMountFlags("ro")
                            .addMountFlags("vers=4.1")
                            .addMountFlags("password=flagged-secret")))
            .build());

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
            plain,       mount -o pass=p@ss "w\\rd/+ failed,            mount -o pass=*** failed
            quoted,      exec ["-o" "pass=p@ss \\"w\\\\rd/+"] failed,     exec ["-o" "pass=***"] failed
            percent,     GET /login?p=p%40ss+%22w%5Crd%2F%2B refused,  GET /login?p=*** refused
            base64,      header cEBzcyAid1xyZC8r refused,              header *** refused
            twice,       p@ss "w\\rd/+ and p@ss "w\\rd/+,                *** and ***
            short,       code xy7,                                     code ***
            mount flag,  bad option password=flagged-secret,           bad option password=***
            key line,    bad key at MIIEvQIBADANBgkq,                  bad key at ***
            JSON,        {"pass":"p@ss \\"w\\\\rd\\/\\u002b"},          {"pass":"***"}
            lower case,  GET /login?p=p%40ss+%22w%5crd%2f%2b refused,  GET /login?p=*** refused
            hex,         sent 70407373202277 5c72642f2b,             sent ***
            half,        mount -o pass=p@ss \"w\\r,                  mount -o pass=***
            nothing,     no such device,                               no such device
            """)
    void takesSecretsOut(String form, String said, String shown) {
        assertThat(scrubber.scrub(said)).as(form).isEqualTo(shown);
    }

    @Test
    void keepsOrdinaryOptionsReadable() {
        assertThat(scrubber.scrub("wrong option ro,vers=4.1")).isEqualTo("wrong option ro,vers=4.1");
    }

    @Test
    void takesWholeKeysOutInEveryWriting() {
        assertThat(scrubber.scrub("key " + KEY + "is bad")).isEqualTo("key ***is bad");
        assertThat(scrubber.scrub("key \"" + KEY.replace("\n", "\\n") + "\" is bad"))
                .isEqualTo("key \"***\" is bad");
    }

    /** Cutting first could leave the half of a secret that no longer matches. */
    @Test
    void takesSecretsOutBeforeItShortens() {
        String said = "x".repeat(SecretRedactor.MAX_LENGTH - 3) + "flagged-secret";
        assertThat(scrubber.scrub(said)).endsWith("***").doesNotContain("fla");
    }

    @Test
    void keepsToOneLine() {
        assertThat(scrubber.scrub("a\nb\u001b[0m")).isEqualTo("a\\nb\\u001b[0m");
    }

    @Test
    void aRequestWithoutSecretsChangesNothing() {
        assertThat(SecretScrubber.of(NodeStageVolumeRequest.getDefaultInstance())
                        .scrub("as it was"))
                .isEqualTo("as it was");
    }
}
