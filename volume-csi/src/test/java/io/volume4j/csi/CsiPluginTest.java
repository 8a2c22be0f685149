package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.BoolValue;
import io.grpc.Status;
import io.volume4j.csi.internal.proto.ControllerServiceCapability;
import io.volume4j.csi.internal.proto.IdentityGrpc;
import io.volume4j.csi.internal.proto.NodeServiceCapability;
import io.volume4j.csi.internal.proto.PluginCapability;
import io.volume4j.csi.internal.proto.ProbeResponse;
import io.volume4j.csi.testing.Capabilities;
import io.volume4j.csi.testing.Closing;
import io.volume4j.csi.testing.ScriptedDriver;
import io.volume4j.csi.testing.SocketDirectory;
import io.volume4j.csi.testing.TestContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CsiPluginTest {
    private static final VolumeId VOLUME = VolumeId.shared("d.example.com", "vol-1");

    @AutoClose
    private final Closing closing = new Closing();

    private final SocketDirectory directory = closing.later(new SocketDirectory());
    private final ScriptedDriver driver = closing.later(new ScriptedDriver(directory.socket()));
    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

    @Test
    void isCalledAsItsDriverAndCanWhatItsDriverSays() {
        Capabilities.named(driver, "d.example.com", "1");
        Capabilities.services(driver, PluginCapability.Service.Type.CONTROLLER_SERVICE);
        Capabilities.controller(driver, ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT);
        Capabilities.node(driver, NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
        CsiPlugin plugin = plugin();
        assertThat(plugin.name()).isEqualTo("d.example.com");
        assertThat(plugin.driver().capabilities())
                .containsExactly(
                        "CONTROLLER_SERVICE", "controller.CREATE_DELETE_SNAPSHOT", "node.STAGE_UNSTAGE_VOLUME");
        assertThat(plugin.snapshotter()).isPresent();
        assertThat(plugin.groupSnapshotter()).isEmpty();
        assertThat(plugin.inventory()).isEmpty();
        assertThat(plugin.observer()).isEmpty();
    }

    @Test
    void canAlwaysTakeDownWhatAnotherVersionSetUp() {
        Capabilities.named(driver, "d.example.com", "1");
        Capabilities.services(driver);
        Capabilities.node(driver);
        CsiPlugin plugin = plugin();
        assertThat(plugin.detacher(VOLUME)).isPresent();
        assertThat(plugin.deviceUnmounter(VOLUME)).isPresent();
        assertThat(plugin.unmounter(VOLUME)).isPresent();
    }

    @Test
    void aDriverThatIsStillStartingIsNotUnwell() {
        Capabilities.all(driver);
        CsiPlugin plugin = plugin();
        driver.on(
                IdentityGrpc.getProbeMethod(),
                request ->
                        ProbeResponse.newBuilder().setReady(BoolValue.of(false)).build());
        assertThat(plugin.probe(TestContext.patient())).isFalse();
        driver.on(IdentityGrpc.getProbeMethod(), request -> ProbeResponse.getDefaultInstance());
        assertThat(plugin.probe(TestContext.patient())).isTrue();
        driver.failing(IdentityGrpc.getProbeMethod(), Status.FAILED_PRECONDITION);
        assertThatThrownBy(() -> plugin.probe(TestContext.patient())).isInstanceOf(VolumeException.class);
    }

    @Test
    void aDriverThatAnswersAfterAnUpdateIsAskedWhatItCanDoNow() {
        Capabilities.all(driver);
        Capabilities.controller(driver);
        CsiPlugin plugin = plugin();
        driver.on(IdentityGrpc.getProbeMethod(), request -> ProbeResponse.getDefaultInstance());
        assertThat(plugin.snapshotter()).isEmpty();
        driver.kill();
        Capabilities.controller(driver, ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT);
        driver.start();

        plugin.probe(TestContext.patient());
        assertThat(plugin.snapshotter()).isPresent();

        heard.clear();
        plugin.probe(TestContext.patient());
        assertThat(heard).as("of the same process").containsExactly("Probe ", "Probe OK");
    }

    @Test
    void aListenerHearsOfEveryCall() {
        Capabilities.all(driver);
        plugin();
        assertThat(heard)
                .startsWith("GetPluginInfo ", "GetPluginInfo OK", "GetPluginCapabilities ", "GetPluginCapabilities OK")
                .hasSize(10);
    }

    @Test
    void aDriverThatIsNotThereIsNotConnected() {
        assertThatThrownBy(
                        () -> CsiPlugin.at(new CsiEndpoint(directory.socket())).connect(Duration.ofSeconds(1)))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("no driver listens at");
    }

    @Test
    void aBuilderConnectsWhenTheDriverHasCome() {
        Capabilities.all(driver);
        CsiPluginBuilder builder = CsiPlugin.at(new CsiEndpoint(directory.socket()));
        assertThatThrownBy(() -> builder.connect(Duration.ofSeconds(1))).isInstanceOf(VolumeException.class);

        driver.start();

        assertThat(closing.later(builder.connect(Duration.ofMinutes(1))).name()).isNotEmpty();
    }

    private CsiPlugin plugin() {
        driver.start();
        return closing.later(CsiPlugin.at(new CsiEndpoint(directory.socket()))
                .channelOptions(ChannelOptions.defaults().withCloseTimeout(Duration.ofMillis(200)))
                .listener(new CsiCallListener() {
                    @Override
                    public void begins(CsiCall call) {
                        heard.add(call.rpc() + " " + call.code());
                    }

                    @Override
                    public void ends(CsiCall call) {
                        heard.add(call.rpc() + " " + call.code());
                    }
                })
                .connect(Duration.ofSeconds(30)));
    }
}
