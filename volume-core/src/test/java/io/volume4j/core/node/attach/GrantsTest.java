package io.volume4j.core.node.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.grants.InUseReport;
import io.volume4j.core.node.VolumeView.Grant;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a node may rely on an attachment. */
class GrantsTest {
    private static final VolumeId ID = VolumeId.shared("mem", "v");
    private static final String NAME = ID.toString();

    private final Set<String> takenBack = new LinkedHashSet<>();
    private final Grants grants = new Grants(AttachMode.CONTROLLER, "a1", takenBack::contains, true);

    @Test
    void countsAReportOnlyIfAnnotationAndStatusShowIt() {
        grants.update(node("a1", true, false, null));
        assertThat(of()).isEqualTo(Grant.NOT_REPORTED_IN_USE);

        grants.update(node("a1", false, true, null));
        assertThat(of()).isEqualTo(Grant.NOT_REPORTED_IN_USE);

        grants.update(node("a1", true, true, null));
        assertThat(of()).isEqualTo(Grant.AWAITED);
    }

    @Test
    void countsNoReportOfAnEarlierRun() {
        grants.update(node("a0", true, true, null));

        assertThat(of()).isEqualTo(Grant.NOT_REPORTED_IN_USE);
    }

    @Test
    void countsNoReportThatALateWriteMayTakeBack() {
        grants.update(node("a1", true, true, "uid-1"));
        takenBack.add(NAME);

        assertThat(of()).isEqualTo(Grant.NOT_REPORTED_IN_USE);
    }

    @Test
    void givesWhatBothTheGrantsAndTheStatusShow() {
        grants.update(node("a1", true, true, "uid-1"));

        assertThat(of()).isEqualTo(Grant.GIVEN);
        assertThat(grants.current(ID)).isEqualTo(new GrantList.Grant("va", "uid-1", "1.p"));
    }

    @Test
    void endsWithAnotherAttachmentOrWithNone() {
        VolumeRow held = VolumeRow.unknown(ID, "v", false).attached("", Map.of(), Grants.held("uid-1"));

        grants.update(node("a1", true, true, "uid-1"));
        assertThat(grants.of(ID, held)).isEqualTo(Grant.GIVEN);

        grants.update(node("a1", true, true, "uid-2"));
        assertThat(grants.of(ID, held)).isEqualTo(Grant.ENDED);

        grants.update(node("a1", true, true, ""));
        assertThat(grants.of(ID, held)).isEqualTo(Grant.ENDED);
    }

    @Test
    void doesNotEndBecauseTheNodeObjectWasMadeAnew() {
        VolumeRow held = VolumeRow.unknown(ID, "v", false).attached("", Map.of(), Grants.held("uid-1"));

        grants.update(node("", false, false, null));

        assertThat(grants.of(ID, held)).isNotEqualTo(Grant.ENDED);
    }

    @Test
    void aGrantWhoseAttachmentIsGoingIsOverUntilAnotherIsShown() {
        grants.update(node("a1", true, true, "uid-1"));
        grants.end(ID, "uid-0");
        assertThat(grants.over(NAME)).as("another grant is shown by now").isFalse();

        grants.end(ID, "uid-1");
        grants.update(node("a1", false, false, "uid-1"));
        assertThat(grants.over(NAME)).isTrue();

        grants.update(node("a1", false, false, ""));
        assertThat(grants.over(NAME)).isFalse();
        grants.update(node("a1", true, true, "uid-1"));
        assertThat(grants.over(NAME)).isFalse();
    }

    @Test
    void tellsOnlyOfVolumesOfWhichSomethingChanged() {
        assertThat(grants.update(node("a1", true, true, "uid-1"))).containsExactly(NAME);
        assertThat(grants.update(node("a1", true, true, "uid-1"))).isEmpty();
        assertThat(grants.update(node("a1", true, true, "uid-2"))).containsExactly(NAME);
        assertThat(grants.update(null)).containsExactly(NAME);
    }

    @Test
    void makesNoRequestWhereTheNodeAttachesByItself() {
        Grants self = new Grants(AttachMode.SELF, "a1", volume -> false, true);

        assertThat(self.of(ID, VolumeRow.unknown(ID, "v", false))).isNull();
    }

    private @Nullable Grant of() {
        return grants.of(ID, VolumeRow.unknown(ID, "v", false));
    }

    /** @param grantedUid null for a controller that gives no grants, "" for one that gave none */
    private static Node node(String agent, boolean annotation, boolean status, @Nullable String grantedUid) {
        ObjectMeta meta = ObjectMeta.named("", "n");
        if (!agent.isEmpty()) {
            Map<String, String> volumes = annotation ? Map.of(NAME, "") : Map.of();
            meta = meta.withAnnotation(GrantKeys.IN_USE, new InUseReport(1, agent, volumes).text());
        }
        boolean granted = grantedUid != null && !grantedUid.isEmpty();
        if (grantedUid != null) {
            Map<String, GrantList.Grant> list =
                    granted ? Map.of(NAME, new GrantList.Grant("va", grantedUid, "1.p")) : Map.of();
            meta = meta.withAnnotation(GrantKeys.GRANTS, new GrantList(list).text());
        }
        return new Node(
                meta,
                new Node.Spec(List.of()),
                new Node.Status(
                        true,
                        status ? List.of(NAME) : List.of(),
                        granted ? List.of(new Node.AttachedVolume(NAME, "/dev/x")) : List.of(),
                        Map.of()),
                Unmodeled.none());
    }
}
