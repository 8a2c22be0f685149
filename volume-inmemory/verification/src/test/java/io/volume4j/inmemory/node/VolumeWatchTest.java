package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.PluginCall;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.plugin.HealthReporter.Finding;
import io.volume4j.spi.plugin.HealthReporter.Health;
import io.volume4j.spi.plugin.HealthReporter.Kind;
import io.volume4j.spi.plugin.HealthReporter.SeenBy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node that asks by itself how full volumes are and how they are. */
class VolumeWatchTest {
    private static final long SIZE = BoundVolumes.SIZE.bytes();
    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final String CLAIM = "{namespace=default,persistentvolumeclaim=data}";
    private static final ObjectKey POD = ObjectKey.pod("default", "a");

    private final NodeHarness node = NodeHarness.withMachine(1);

    @Test
    void figuresOfClaimsAreGaugesForAsLongAsTheNodeHasTheVolume() {
        begin();
        assertThat(node.metrics.gauges())
                .containsEntry("kubelet_volume_stats_capacity_bytes" + CLAIM, SIZE)
                .containsEntry("kubelet_volume_stats_available_bytes" + CLAIM, SIZE)
                .containsEntry("kubelet_volume_stats_used_bytes" + CLAIM, 0L)
                .containsEntry("kubelet_volume_stats_health_status_abnormal" + CLAIM, 0L)
                .as("what the plugin does not know")
                .doesNotContainKey("kubelet_volume_stats_inodes" + CLAIM);

        node.deletePod("a");
        node.settle();
        assertThat(node.metrics.gauges())
                .noneSatisfy((series, value) -> assertThat(series).startsWith("kubelet_volume_stats_"));
    }

    @Test
    void aChangeOfWhatIsWrongIsToldToThePodsOnceAndExplained() {
        begin();
        assertThat(told()).isEmpty();

        node.storage.health("h-data", slow("10 percent"));
        node.world.advance(INTERVAL.multipliedBy(3));
        node.storage.health("h-data", slow("20 percent"));
        node.world.advance(INTERVAL.multipliedBy(3));
        assertThat(told()).containsExactly("VolumeConditionAbnormal");
        assertThat(node.events.about(POD))
                .extracting(Event::message)
                .contains("volume h-data: node: degraded (Rebuilding): 10 percent");
        assertThat(node.explainPod("a").text())
                .contains("volume data is not well: node: degraded (Rebuilding): 10 percent");
        assertThat(node.metrics.gauge("kubelet_volume_stats_health_status_abnormal" + CLAIM))
                .isEqualTo(1);

        node.storage.health("h-data", Health.well());
        node.world.advance(INTERVAL.multipliedBy(3));
        assertThat(told()).containsExactly("VolumeConditionAbnormal", "VolumeConditionNormal");
        assertThat(node.explainPod("a").text()).doesNotContain("not well");
    }

    @Test
    void aVolumeThatCannotBeMountedIsAskedAboutToo() {
        node.plugin.faults().add(Fault.on("mountDevice").always().as(FaultKind.TRANSIENT));
        node.storage.health("h-data", slow("no path"));
        begin();

        assertThat(told()).containsExactly("VolumeConditionAbnormal");
        assertThat(calls("stats")).isZero();
    }

    @Test
    void noAnswerChangesNothing() {
        node.storage.health("h-data", slow("10 percent"));
        begin();
        node.plugin.faults().add(Fault.on("health").always().as(FaultKind.TRANSIENT));
        node.plugin.faults().add(Fault.on("stats").always().as(FaultKind.TRANSIENT));
        node.world.advance(INTERVAL.multipliedBy(5));

        assertThat(told()).containsExactly("VolumeConditionAbnormal");
        assertThat(node.explainPod("a").text()).contains("not well");
        assertThat(node.metrics.gauges()).containsKey("kubelet_volume_stats_capacity_bytes" + CLAIM);
    }

    @Test
    void nothingIsAskedByDefault() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();

        assertThat(calls("health") + calls("stats")).isZero();
    }

    private void begin() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.watchVolumes(INTERVAL).start();
        node.world.advance(INTERVAL.multipliedBy(3));
    }

    private static Health slow(String message) {
        return new Health(true, List.of(new Finding(Kind.DEGRADED, SeenBy.NODE, "Rebuilding", message)));
    }

    private List<String> told() {
        return node.events.about(POD).stream()
                .map(Event::reason)
                .filter(reason -> reason.startsWith("VolumeCondition"))
                .toList();
    }

    private long calls(String name) {
        return node.storage.calls().stream()
                .map(PluginCall::name)
                .filter(name::equals)
                .count();
    }
}
