package io.volume4j.examples.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealingKeysTest {
    private static final String OLD = key(1);
    private static final String NEW = key(2);
    private static final byte[] HERE = "/volume4j/secrets/default/a".getBytes(UTF_8);
    private static final byte[] THERE = "/volume4j/secrets/default/b".getBytes(UTF_8);
    private static final byte[] VALUE = "s3cret-value".getBytes(UTF_8);

    @TempDir
    Path folder;

    @Test
    void whatIsSealedIsNotReadableAndIsOpenedAgain() throws IOException {
        SealingKeys keys = keys(OLD);
        byte[] sealed = keys.seal(HERE, VALUE);
        assertThat(new String(sealed, UTF_8)).doesNotContain("s3cret");
        assertThat(keys.open(HERE, sealed)).isEqualTo(VALUE);
        assertThat(keys.seal(HERE, VALUE)).as("a nonce of its own each time").isNotEqualTo(sealed);
    }

    @Test
    void aNewKeySealsWhileTheOldOneStillOpens() throws IOException {
        byte[] old = keys(OLD).seal(HERE, VALUE);
        SealingKeys both = keys("# since June", NEW, OLD);
        assertThat(both.open(HERE, old)).isEqualTo(VALUE);
        byte[] fresh = both.seal(HERE, VALUE);
        assertThat(keys(NEW).open(HERE, fresh)).isEqualTo(VALUE);
        assertThatThrownBy(() -> keys(OLD).open(HERE, fresh))
                .hasMessageContaining("a key that the key file does not hold");
    }

    @Test
    void aKeyThatIsInsertedLaterOpensWithoutARestartAndAFileThatCannotBeUsedTakesNoKeyAway() throws IOException {
        byte[] old = keys(OLD).seal(HERE, VALUE);
        byte[] fresh = keys(NEW).seal(HERE, VALUE);
        AtomicLong now = new AtomicLong();
        Path file = file(OLD);
        SealingKeys keys = SealingKeys.read(file, now::get);

        now.addAndGet(Duration.ofSeconds(5).toNanos());
        file(NEW.substring(0, 20));
        assertThatThrownBy(() -> keys.open(HERE, fresh)).hasMessageContaining(file + " holds a line that is not");
        assertThat(keys.open(HERE, old)).isEqualTo(VALUE);

        file(NEW, OLD);
        assertThatThrownBy(() -> keys.open(HERE, fresh))
                .as("not read for each value")
                .hasMessageContaining("a key that the key file does not hold");
        now.addAndGet(Duration.ofSeconds(5).toNanos());
        assertThat(keys.open(HERE, fresh)).isEqualTo(VALUE);
        assertThat(keys.open(HERE, old)).isEqualTo(VALUE);
    }

    @Test
    void aValueThatWasMovedOrChangedIsRefused() throws IOException {
        SealingKeys keys = keys(OLD);
        byte[] sealed = keys.seal(HERE, VALUE);
        assertThatThrownBy(() -> keys.open(THERE, sealed)).hasMessageContaining("moved from another place");
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = Arrays.copyOf(sealed, sealed.length);
            changed[i] ^= 1;
            assertThatThrownBy(() -> keys.open(HERE, changed))
                    .as("byte %s", i)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> keys.open(HERE, VALUE)).hasMessageContaining("not encrypted");
    }

    @Test
    void aFileThatOthersMayReadOrThatHoldsNoKeyIsRefusedWithoutShowingIt() throws IOException {
        Path file = file(OLD);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> SealingKeys.read(file)).hasMessageContaining("chmod 600");
        assertThatThrownBy(() -> keys("# none")).hasMessageContaining("holds no key");
        assertThatThrownBy(() -> keys("dG9vIHNob3J0"))
                .hasMessageContaining("not 32 bytes")
                .hasMessageNotContaining("dG9v");
        assertThatThrownBy(() -> keys("no base64 §"))
                .hasMessageContaining("not 32 bytes")
                .hasNoCause();
        assertThatThrownBy(() -> SealingKeys.read(folder.resolve("absent")))
                .hasMessageContaining("cannot be read: there is no such file; make it with openssl")
                .hasMessageNotContaining("Exception");
        assertThat(keys(OLD, NEW)).hasToString("SealingKeys[2]");
    }

    private SealingKeys keys(String... lines) throws IOException {
        return SealingKeys.read(file(lines));
    }

    private Path file(String... lines) throws IOException {
        return TestKeyFile.write(folder.resolve("keys"), lines);
    }

    private static String key(int seed) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) seed);
        return Base64.getEncoder().encodeToString(bytes);
    }
}
