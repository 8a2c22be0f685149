package io.volume4j.core.linux.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.ManualContext;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.FileFacts;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.RawName;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The owner of a volume may fill it so that a walk through it would need all memory of the node's agent. */
@Privileged
@ParameterizedClass
@MethodSource("io.volume4j.core.linux.Machine#kernels")
class TreeWalkTest {
    private static final int DEPTH = 200;
    private static final int FILES = 20;
    /** Directories that are open at once, and the one that is entered. */
    private static final int OPEN = 65;

    private final Machine machine;

    TreeWalkTest(Kernel kernel) {
        machine = new Machine(kernel);
    }

    @AfterEach
    void close() {
        machine.close();
    }

    @ParameterizedTest(name = "in memory: {0}")
    @ValueSource(booleans = {false, true})
    void remembersTheNamesOfTheDirectoriesThatAreOpenAndVisitsAllOnce(boolean inMemory) {
        machine.directory("volume");
        if (inMemory) {
            machine.filesystems.mount(
                    new FilesystemMount("tmpfs", "test", false, List.of("size=64m")), machine.at("volume"));
        }
        Path place = Path.of("volume");
        for (int depth = 0; depth < DEPTH; depth++) {
            for (int i = 0; i < FILES; i++) {
                machine.file(place + "/" + depth + "." + i, "");
            }
            // A tmpfs lists first what was made last, so that nothing is visited before the walk goes deeper.
            place = place.resolve("d");
            machine.directory(place.toString());
        }
        Seen seen = new Seen();
        TreeWalk walk = new TreeWalk(machine.kernel, machine.paths, seen);
        seen.remembered = walk::remembered;

        walk.run(machine.at("volume"));

        assertThat(seen.files).hasSize(DEPTH * FILES);
        assertThat(seen.files.values()).allMatch(times -> times == 1);
        assertThat(seen.directories).isEqualTo(DEPTH + 1);
        assertThat(seen.most).isLessThanOrEqualTo(OPEN * (FILES + 1));
        machine.files.removeTree(RootedPath.of(machine.path("volume"), "d"), new ManualContext());
    }

    private static final class Seen implements TreeWalk.Visitor {
        private final Map<String, Integer> files = new LinkedHashMap<>();
        private IntSupplier remembered = () -> 0;
        private int directories;
        private int most;

        @Override
        public void goOn() {
            most = Math.max(most, remembered.getAsInt());
        }

        @Override
        public void file(Descriptor directory, RawName name, FileFacts seen) {
            files.merge(name.toString(), 1, Integer::sum);
        }

        @Override
        public void directory(Descriptor directory, int depth) {
            directories++;
        }

        @Override
        public void bear(Object name, SyscallException failure) {
            throw new AssertionError(String.valueOf(name), failure);
        }

        @Override
        public VolumeException moved() {
            throw new AssertionError("nothing was moved");
        }
    }
}
