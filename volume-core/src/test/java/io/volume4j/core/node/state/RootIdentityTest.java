package io.volume4j.core.node.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.plugins.DefaultPluginHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which boot of the machine it is decides whether mounts that an earlier run knew can still be there. */
class RootIdentityTest {
    @TempDir
    Path directory;

    @Test
    void takesTheBootFromTheKernel() throws IOException {
        Path file = Files.writeString(directory.resolve("boot_id"), "f00-1\n");

        assertThat(boot(file)).isEqualTo("f00-1").isEqualTo(boot(file));
    }

    /** In a container without it, two boots that looked alike would make certain what the first one took away. */
    @Test
    void takesEachStartForTheFirstOfABootWhereTheKernelDoesNotTell() throws IOException {
        Path missing = directory.resolve("missing");
        assertThat(boot(missing)).isNotEmpty().isNotEqualTo(boot(missing));

        Path empty = Files.writeString(directory.resolve("empty"), "\n");
        assertThat(boot(empty)).isNotEmpty().isNotEqualTo(boot(empty));
    }

    private String boot(Path file) {
        return RootIdentity.of(DefaultPluginHost.builder(directory).build(), Supplier::get, UUID::randomUUID, file)
                .bootId();
    }
}
