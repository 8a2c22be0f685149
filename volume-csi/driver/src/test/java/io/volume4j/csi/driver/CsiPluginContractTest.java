package io.volume4j.csi.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.volume4j.csi.ChannelOptions;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.CsiPlugin;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.inmemory.contract.LinuxFixture;
import io.volume4j.inmemory.contract.PluginContract;
import io.volume4j.inmemory.contract.PluginUnderTest;
import io.volume4j.spi.plugin.VolumePlugin;
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
        LinuxFixture machine = new LinuxFixture();
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

    private record Subject(Place place, CsiTestDriver driver, LinuxFixture machine, List<AutoCloseable> open)
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
}
