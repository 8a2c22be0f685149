package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.volumes.AttachMode;
import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A host that writes its node's status itself, and a control plane that attaches what stands there. */
class HostReportsInUseTest {
    private static final VolumeId DATA = VolumeId.shared("mem", "h-data");

    private final NodeHarness node = NodeHarness.withMachine(1).hostWrites();

    @BeforeEach
    void aPodWantsAVolume() {
        node.attachMode(AttachMode.CONTROLLER);
        node.nodeStatus(List.of(), List.of());
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
    }

    @Test
    void asksForAReportAndThenForTheAttachment() {
        assertThat(node.get(node.agent().volumesInUse())).containsExactly(DATA);
        assertThat(node.explainPod("a").text()).contains("until the node's status says that the volume is in use");

        node.nodeStatus(List.of(DATA), List.of());
        node.settle();
        assertThat(node.explainPod("a").text()).contains("for the control plane to attach the volume");

        attached();
        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(node.get(node.agent().attached(DATA))).isTrue();
    }

    @Test
    void mountsOnlyWhenHostAndStatusSayTheSame() {
        node.get(node.agent().markReportedInUse(List.of()));
        node.nodeStatus(List.of(DATA), List.of(DATA));
        node.settle();
        assertThat(node.calls()).as("the status says so, the host does not").isEmpty();

        node.nodeStatus(List.of(), List.of(DATA));
        node.get(node.agent().markReportedInUse(List.of(DATA)));
        node.settle();
        assertThat(node.calls()).as("the host says so, the status does not").isEmpty();

        attached();
        assertThat(node.mounted("a").volumes()).hasSize(1);
    }

    @Test
    void countsFromTheMomentTheHostSaysIt() {
        node.get(node.agent().markReportedInUse(List.of()));
        node.nodeStatus(List.of(DATA), List.of(DATA));
        node.storage.attachBehindOurBack("h-data", NodeHarness.NODE);
        node.settle();

        node.get(node.agent().markReportedInUse(List.of(DATA)));
        node.settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
    }

    @Test
    void keepsWhatIsMountedWhenTheHostTakesItsWordBack() {
        attached();
        node.get(node.agent().markReportedInUse(List.of()));
        node.settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(node.get(node.agent().volumesInUse())).as("it still has it").containsExactly(DATA);
    }

    @Test
    void hearsAtOnceWhatToReport() {
        List<List<VolumeId>> heard = new ArrayList<>();
        node.agent().listenInUse(heard::add);
        node.settle();
        assertThat(heard).as("how it is now").containsExactly(List.of(DATA));

        node.boundClaim("more");
        node.pod("b", "more");
        node.settle();
        node.deletePod("b");
        node.settle();

        VolumeId more = VolumeId.shared("mem", "h-more");
        assertThat(heard).containsExactly(List.of(DATA), List.of(DATA, more), List.of(DATA));
    }

    @Test
    void isRefusedWhereTheManagerReportsByItself() {
        NodeHarness other = NodeHarness.withMachine(2).start();

        assertThatThrownBy(() -> other.agent().markReportedInUse(List.of(DATA)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cluster writer");
    }

    /** The control plane attaches what the status shows in use. */
    private void attached() {
        node.storage.attachBehindOurBack("h-data", NodeHarness.NODE);
        node.nodeStatus(List.of(DATA), List.of(DATA));
        node.settle();
    }
}
