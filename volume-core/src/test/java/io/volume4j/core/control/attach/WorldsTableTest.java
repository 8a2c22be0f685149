package io.volume4j.core.control.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The two worlds as objects come and go. Each row has the name of the upstream test whose situation it is, without its
 * {@code Test_}; docs/attach-detach.md lists them and says where our answer differs.
 */
class WorldsTableTest {
    /** Upstream's actual state of world. */
    static Stream<Arguments> actual() {
        return Stream.of(
                row("AddVolumeNode_Positive_NewVolumeNewNode", "node n1; attached v n1", "v@n1 attached since 0"),
                row(
                        "AddVolumeNode_Positive_NewVolumeNewNodeWithFalseAttached",
                        "node n1; record v n1",
                        "v@n1 uncertain since 0"),
                row(
                        "AddVolumeNode_Positive_NewVolumeTwoNodesWithFalseAttached",
                        "node n1; node n2; record v n1; attached v n2",
                        "v@n1 uncertain since 0; v@n2 attached since 0"),
                row(
                        "AddVolumeNode_Positive_ExistingVolumeNewNode",
                        "node n1; node n2; attached v n1; attached v n2",
                        "v@n1 attached since 0; v@n2 attached since 0"),
                row(
                        "AddVolumeNode_Positive_ExistingVolumeExistingNode",
                        "node n1; attached v n1; attached v n1",
                        "v@n1 attached since 0"),
                row("DeleteVolumeNode_Positive_VolumeExistsNodeExists", "node n1; attached v n1; released v n1", ""),
                row("DeleteVolumeNode_Positive_VolumeDoesntExistNodeDoesntExist", "released v n1", ""),
                row(
                        "DeleteVolumeNode_Positive_TwoNodesOneDeleted",
                        "node n1; node n2; attached v n1; attached v n2; released v n1",
                        "v@n2 attached since 0"),
                row(
                        "VolumeNodeExists_Positive_VolumeExistsNodeExists",
                        "node n1; pod a n1 v; attached v n1; node n1 shows v uses v",
                        "v@n1 attached for a, used; n1 is told the grants alone"),
                row(
                        "VolumeNodeExists_Positive_VolumeExistsNodeDoesntExist",
                        "attached v n1",
                        "v@n1 attached since 0, perhaps used"),
                row("VolumeNodeExists_Positive_VolumeAndNodeDontExist", "node n2; attached w n2; released w n2", ""),
                row("GetAttachedVolumes_Positive_NoVolumesOrNodes", "", ""),
                row("GetAttachedVolumes_Positive_OneVolumeOneNode", "attached v n1; node n1", "v@n1 attached since 0"),
                row(
                        "GetAttachedVolumes_Positive_TwoVolumeTwoNodes",
                        "node n1; node n2; attached v n1; attached w n2",
                        "v@n1 attached since 0; w@n2 attached since 0"),
                row(
                        "GetAttachedVolumes_Positive_OneVolumeTwoNodes",
                        "node n1; node n2; attached v n2; record v n1",
                        "v@n1 uncertain since 0; v@n2 attached since 0"),
                row(
                        "SetVolumesMountedByNode_Positive_Set",
                        "node n1; attached v n1; node n1 uses v",
                        "v@n1 attached since 0, used"),
                row(
                        "SetVolumesMountedByNode_Positive_UnsetWithInitialSet",
                        "node n1; attached v n1; node n1 uses v; node n1",
                        "v@n1 attached since 0"),
                row(
                        "SetVolumesMountedByNode_Positive_UnsetWithoutInitialSet",
                        "attached v n1; node n1 uses w",
                        "v@n1 attached since 0"),
                row(
                        "SetVolumesMountedByNode_Positive_UnsetWithInitialSetAddVolumeNodeNotReset",
                        "node n1; attached v n1; node n1 uses v; node n1; attached v n1",
                        "v@n1 attached since 0"),
                row(
                        "SetVolumesMountedByNode_Positive_UnsetWithInitialSetVerifyDetachRequestedTimePreserved",
                        "node n1; pod a n1 v; attached v n1; +5; delete a; +1; node n1 uses v; +1; node n1",
                        "v@n1 attached since 5"),
                row(
                        "RemoveVolumeFromReportAsAttached_Positive_Set",
                        "node n1; pod a n1 v; attached v n1",
                        "v@n1 attached for a; n1 is told v=/dev/n1"),
                row(
                        "RemoveVolumeFromReportAsAttached_Positive_Marked",
                        "node n1; pod a n1 v; attached v n1; node n1 shows v; +5; delete a",
                        "v@n1 attached since 5; n1 is told nothing"),
                row(
                        "MarkDesireToDetach_Positive_MarkedAddVolumeNodeReset",
                        "node n1; pod a n1 v; attached v n1; +5; delete a; +5; pod b n1 v; +5; delete b",
                        "v@n1 attached since 15"),
                row(
                        "RemoveVolumeFromReportAsAttached_Positive_UnsetWithInitialSetVolumesMountedByNodePreserved",
                        "node n1; pod a n1 v; attached v n1; node n1 shows v uses v; +5; delete a; node n1 shows v",
                        "v@n1 attached since 5; n1 is told nothing"),
                row(
                        "RemoveVolumeFromReportAsAttached",
                        "node n1; pod a n1 v; attached v n1; delete a",
                        "v@n1 attached since 0"),
                row(
                        "RemoveVolumeFromReportAsAttached_AddVolumeToReportAsAttached_Positive",
                        "node n1 shows v; pod a n1 v; attached v n1; delete a; node n1; pod b n1 v",
                        "v@n1 attached for b; n1 is told v=/dev/n1"),
                row(
                        "RemoveVolumeFromReportAsAttached_Delete_AddVolumeNode",
                        "node n1; pod a n1 v; attached v n1; delete a; released v n1; pod b n1 v; attached v n1",
                        "v@n1 attached for b; n1 is told v=/dev/n1"),
                row(
                        "SetDetachRequestTime_Positive",
                        "node n1; pod a n1 v; attached v n1; +5; delete a; +60; node n1; attached v n1",
                        "v@n1 attached since 5"),
                row("GetAttachedVolumesForNode_Positive_NoVolumesOrNodes", "node n1", ""),
                row(
                        "GetAttachedVolumesForNode_Positive_OneVolumeOneNode",
                        "node n1; pod a n1 v; attached v n1; node n1 shows v",
                        "v@n1 attached for a; n1 is told the grants alone"),
                row(
                        "GetAttachedVolumesForNode_Positive_TwoVolumeTwoNodes",
                        "node n1; node n2; pod a n1 v; pod b n2 w; attached v n1; attached w n2",
                        "v@n1 attached for a; w@n2 attached for b; n1 is told v=/dev/n1; n2 is told w=/dev/n2"),
                row(
                        "GetAttachedVolumesForNode_Positive_OneVolumeTwoNodes",
                        "node n1; node n2; pod a n1 v; attached v n1; record v n2",
                        "v@n1 attached for a; v@n2 uncertain since 0; n1 is told v=/dev/n1"),
                row(
                        "OneVolumeTwoNodes_TwoDevicePaths",
                        "node n1; node n2; pod a n1 v; pod b n2 v; attached v n1; attached v n2",
                        "v@n1 attached for a; v@n2 attached for b; n1 is told v=/dev/n1; n2 is told v=/dev/n2"),
                row(
                        "SetNodeStatusUpdateNeededError",
                        "pod a n1 v; attached v n1",
                        "v@n1 attached since 0, perhaps used"),
                row("updateNodeStatusUpdateNeeded", "node n1 shows w", "w@n1 listed since 0"),
                row(
                        "updateNodeStatusUpdateNeededError",
                        "node n1; pod a n1 v; attached v n1; +5; gone n1",
                        "v@n1 attached since 5"),
                row("MarkVolumeAsAttached", "node n1; record v n1; attached v n1", "v@n1 attached since 0"),
                row("MarkVolumeAsUncertain", "node n1; attached v n1; detaching v n1", "v@n1 uncertain since 0"),
                row(
                        "GetVolumesToReportAttachedForNode_Positive",
                        "node n1; pod a n1 v w; attached v n1; attached w n1; node n1 shows v; delete a",
                        "v@n1 attached since 0; w@n1 attached since 0; n1 is told nothing"),
                row(
                        "GetVolumesToReportAttachedForNode_UnknownNode",
                        "attached v n1; pod a n2 v",
                        "v@n1 attached since 0, perhaps used"));
    }

    /** Upstream's desired state of world. */
    static Stream<Arguments> desired() {
        return Stream.of(
                row("AddNode_Positive_NewNode", "node n1", ""),
                row("AddNode_Positive_ExistingNode", "node n1; node n1", ""),
                row("AddPod_Positive_NewPodNodeExistsVolumeDoesntExist", "node n1; pod a n1 v", "v@n1 detached for a"),
                row(
                        "AddPod_Positive_NewPodNodeExistsVolumeExists",
                        "node n1; pod a n1 v; pod b n1 v",
                        "v@n1 detached for a+b"),
                row(
                        "AddPod_Positive_PodExistsNodeExistsVolumeExists",
                        "node n1; pod a n1 v; pod a n1 v",
                        "v@n1 detached for a"),
                row("AddPod_Negative_NewPodNodeDoesntExistVolumeDoesntExist", "pod a n1 v", ""),
                row("DeleteNode_Positive_NodeExists", "node n1; gone n1", ""),
                row("DeleteNode_Positive_NodeDoesntExist", "gone n1", ""),
                row(
                        "DeleteNode_Negative_NodeExistsHasChildVolumes",
                        "node n1; pod a n1 v; +5; gone n1; node n1",
                        "v@n1 detached for a"),
                row("DeletePod_Positive_PodExistsNodeExistsVolumeExists", "node n1; pod a n1 v; delete a", ""),
                row(
                        "DeletePod_Positive_2PodsExistNodeExistsVolumesExist",
                        "node n1; pod a n1 v; pod b n1 v; delete a",
                        "v@n1 detached for b"),
                row("DeletePod_Positive_PodDoesNotExist", "node n1; pod a n1 v; delete b", "v@n1 detached for a"),
                row(
                        "DeletePod_Positive_NodeDoesNotExist",
                        "node n1; pod a n1 v; pod b n2 v; delete b",
                        "v@n1 detached for a"),
                row(
                        "DeletePod_Positive_VolumeDoesNotExist",
                        "node n1; pod a n1 v; pod a n1 v; ended b n1 w; delete b",
                        "v@n1 detached for a"),
                row("NodeExists_Positive_NodeExists", "foreign n1; pod a n1 v", ""),
                row("NodeExists_Positive_NodeDoesntExist", "pod a n1 v; node n1", "v@n1 detached for a"),
                row(
                        "VolumeExists_Positive_VolumeExistsNodeExists",
                        "node n1; node n2; pod a n1 v",
                        "v@n1 detached for a"),
                row(
                        "VolumeExists_Positive_VolumeDoesntExistNodeExists",
                        "node n1; pod a n1 v; ended b n1 w",
                        "v@n1 detached for a"),
                row("VolumeExists_Positive_VolumeDoesntExistNodeDoesntExists", "ended a n1 v", ""),
                row("GetVolumesToAttach_Positive_NoNodes", "", ""),
                row("GetVolumesToAttach_Positive_TwoNodes", "node n1; node n2", ""),
                row(
                        "GetVolumesToAttach_Positive_TwoNodesOneVolumeEach",
                        "node n1; node n2; pod a n1 v; pod b n2 w",
                        "v@n1 detached for a; w@n2 detached for b"),
                row(
                        "GetVolumesToAttach_Positive_TwoNodesOneVolumeEachExtraPod",
                        "node n1; node n2; pod a n1 v; pod b n2 w; pod c n2 w",
                        "v@n1 detached for a; w@n2 detached for b+c"),
                row(
                        "GetVolumesToAttach_Positive_TwoNodesThreeVolumes",
                        "node n1; node n2; pod a n1 v; pod b n2 w; pod c n2 w; pod e n1 x",
                        "v@n1 detached for a; w@n2 detached for b+c; x@n1 detached for e"),
                row(
                        "keepTerminatedPodVolumes of a node",
                        "kept n1; pod a n1 v; ended a n1 v; node n2; pod b n2 w; ended b n2 w",
                        "v@n1 detached for a"));
    }

    private static Arguments row(String upstream, String script, String worlds) {
        return arguments(upstream, script, worlds);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"actual", "desired"})
    void knowsWhatIsWantedAndWhatMayBeThere(String upstream, String script, String worlds) {
        assertThat(new WorldScript().run(script).worlds()).as(script).isEqualTo(worlds);
    }

    @Test
    void standsRowByRowOnThePage() throws IOException {
        String page = Files.readString(Path.of(Objects.requireNonNull(System.getProperty("volume4j.root")))
                .resolve("docs/attach-detach.md"));
        List<String> named = new ArrayList<>();
        Matcher row = Pattern.compile("(?m)^\\| row ([^|]+?) \\|").matcher(page);
        while (row.find()) {
            named.add(row.group(1));
        }
        assertThat(named)
                .containsExactlyElementsOf(Stream.concat(actual(), desired())
                        .map(arguments -> (String) arguments.get()[0])
                        .toList());
    }
}
