package io.volume4j.csi.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.CsiPlugin;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.inmemory.contract.BackendFixture;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.plugin.VolumePlugin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** The CSI plugin against a driver on a socket that mounts on the real kernel: what every plugin must keep. */
@ExtendWith(MountRight.class)
class CsiPluginContractTest extends PluginContract {
    private final List<AutoCloseable> open = new ArrayList<>();

    @Override
    protected PluginUnderTest subject() {
        Place place = new Place();
        open.add(place);
        CsiTestDriver driver = CsiTestDriver.start(DriverOptions.at(place.socket())
                .stateDirectory(place.path().resolve("state"))
                .nodeId("n1-id")
                .mounts(MountStyle.BINDS)
                .build());
        open.add(driver);
        Machine machine = new Machine(place.path());
        return new Subject(place, driver, machine, open);
    }

    private static void closeAll(List<AutoCloseable> open) {
        for (int i = open.size() - 1; i >= 0; i--) {
            try {
                open.get(i).close();
            } catch (Exception e) {
                throw new IllegalStateException("cannot close what the test has opened", e);
            }
        }
    }

    private record Subject(Place place, CsiTestDriver driver, Machine machine, List<AutoCloseable> open)
            implements PluginUnderTest {
        @Override
        public VolumePlugin newPlugin() {
            CsiPlugin plugin = CsiPlugin.at(new CsiEndpoint(place.socket()))
                    .channelOptions(ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200)))
                    .connect(Duration.ofSeconds(30));
            open.add(plugin);
            return plugin;
        }

        /** A volume is made for files or as a device, not for both. */
        @Override
        public boolean canBeRaw() {
            return false;
        }

        @Override
        public void verifyNothingIsLeft() {
            List<String> leaks = driver.inventory().leaks();
            closeAll(open);
            assertEquals(List.of(), leaks);
        }
    }

    /** This machine, with a directory of its own. */
    private record Machine(LinuxMountBackend linux, Path directory) implements BackendFixture {
        Machine(Path directory) {
            this(LinuxMountBackend.create(), directory);
        }

        @Override
        public MountBackend backend() {
            return linux;
        }

        @Override
        public Path root() {
            return directory.resolve("root");
        }

        @Override
        public void write(Path file, byte[] content) {
            try {
                Files.write(file, content);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public byte[] read(Path file) {
            try {
                return Files.readAllBytes(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public long group(Path path) {
            try {
                return ((Number) Files.getAttribute(path, "unix:gid", LinkOption.NOFOLLOW_LINKS)).longValue();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void link(Path link, Path target) {
            try {
                Files.createSymbolicLink(link, target);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            linux.close();
        }
    }
}
