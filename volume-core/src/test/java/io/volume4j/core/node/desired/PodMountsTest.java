package io.volume4j.core.node.desired;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.MountedPod.ContainerDevice;
import io.volume4j.core.volumes.MountedPod.ContainerMount;
import io.volume4j.core.volumes.MountedPod.MountedVolume;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.BindOptions.Propagation;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What containers find: paths, devices, propagation, read-only, groups. */
class PodMountsTest {
    private static final VolumeId ID = VolumeId.shared("p", "v");
    private static final NodeLayout LAYOUT = new NodeLayout(Path.of("/root-dir"));
    private static final MountedVolume WRITABLE = new MountedVolume(ID, "pv", Path.of("/at/data"), false, 0);

    @Test
    void givesEachContainerItsPathsAndDevices() {
        Container first = new Container("init", List.of(mount("data", false, "", "")), List.of(), Map.of(), Map.of());
        Container second = new Container(
                "app",
                List.of(mount("data", true, "", ""), mount("missing", false, "", "")),
                List.of(new Container.VolumeDevice("raw", "/dev/xvda")),
                Map.of(),
                Map.of());
        Map<String, MountedVolume> there = new LinkedHashMap<>();
        there.put("data", WRITABLE);
        there.put("raw", new MountedVolume(ID, "pv2", Path.of("/at/raw"), false, 0));

        MountedPod pod = new PodMounts(LAYOUT, true).of(pod(List.of(first), List.of(second), "", List.of()), there);

        assertThat(pod.containers()).containsOnlyKeys("init", "app");
        assertThat(pod.container("init").mounts())
                .containsExactly(
                        new ContainerMount("data", Path.of("/at/data"), "/in/data", false, false, Propagation.PRIVATE));
        assertThat(pod.container("app").mounts())
                .as("what is not there is left out")
                .containsExactly(
                        new ContainerMount("data", Path.of("/at/data"), "/in/data", true, false, Propagation.PRIVATE));
        assertThat(pod.container("app").devices())
                .containsExactly(new ContainerDevice("raw", Path.of("/at/raw"), "/dev/xvda", false));
    }

    /** The words that a pod's status has for what its mounts came to; IfPossible is never one of them. */
    @ParameterizedTest(name = "readOnly={0} recursiveReadOnly={1}, kernel can: {2} -> {3}")
    @CsvSource(
            nullValues = "-",
            value = {
                "false, -,          true,  ''",
                "false, Disabled,   true,  ''",
                "true,  -,          true,  Disabled",
                "true,  Disabled,   true,  Disabled",
                "true,  IfPossible, true,  Enabled",
                "true,  IfPossible, false, Disabled",
                "true,  Enabled,    true,  Enabled",
            })
    void saysForTheStatusWhatBecameOfRecursiveReadOnly(
            boolean readOnly, @Nullable String asked, boolean kernelCan, String status) {
        Container container =
                new Container("app", List.of(mount("data", readOnly, "", text(asked))), List.of(), Map.of(), Map.of());

        assertThat(new PodMounts(LAYOUT, kernelCan)
                        .of(pod(List.of(), List.of(container), "", List.of()), Map.of("data", WRITABLE))
                        .container("app")
                        .mounts())
                .extracting(ContainerMount::recursiveReadOnlyStatus)
                .containsExactly(status);
    }

    @ParameterizedTest(name = "readOnly={0} propagation={1} recursiveReadOnly={2}, kernel can: {3}")
    @CsvSource(
            delimiter = '|',
            value = {
                "false |                 |            | true  | false | true  | PRIVATE",
                "false | None            | Disabled   | true  | false | true  | PRIVATE",
                "false | HostToContainer |            | true  | false | true  | SLAVE",
                "false | Bidirectional   |            | true  | false | true  | SHARED",
                "true  |                 |            | true  | true  | false | PRIVATE",
                "true  | None            | IfPossible | true  | true  | true  | PRIVATE",
                "true  | None            | IfPossible | false | true  | false | PRIVATE",
                "true  | None            | Enabled    | true  | true  | true  | PRIVATE",
            })
    void turnsTheWordsOfAVolumeMountIntoHowToBind(
            boolean readOnly,
            @Nullable String propagation,
            @Nullable String recursiveReadOnly,
            boolean kernelCan,
            boolean bindReadOnly,
            boolean bindRecursive,
            Propagation bindPropagation) {
        Container container = new Container(
                "app",
                List.of(mount("data", readOnly, text(propagation), text(recursiveReadOnly))),
                List.of(),
                Map.of(),
                Map.of());

        ContainerMount mount = new PodMounts(LAYOUT, kernelCan)
                .of(pod(List.of(), List.of(container), "", List.of()), Map.of("data", WRITABLE))
                .container("app")
                .mounts()
                .get(0);

        assertThat(mount.bindOptions()).isEqualTo(new BindOptions(bindReadOnly, bindRecursive, bindPropagation));
    }

    @ParameterizedTest(name = "readOnly={0} propagation={1} recursiveReadOnly={2}, kernel can: {3}")
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "true  | None            | Enabled    | true  | -",
                "true  | -               | IfPossible | false | -",
                "true  | None            | Enabled    | false | this machine's kernel cannot do it",
                "false | None            | Enabled    | true  | needs readOnly",
                "false | None            | IfPossible | true  | needs readOnly",
                "true  | HostToContainer | Enabled    | true  | needs mountPropagation None",
                "true  | Bidirectional   | IfPossible | true  | needs mountPropagation None",
                "true  | Sideways        | -          | true  | mountPropagation must be",
                "true  | None            | Always     | true  | recursiveReadOnly must be",
            })
    void refusesWhatCannotBe(
            boolean readOnly,
            @Nullable String propagation,
            @Nullable String recursiveReadOnly,
            boolean kernelCan,
            @Nullable String problem) {
        String found =
                MountSettings.problem(mount("data", readOnly, text(propagation), text(recursiveReadOnly)), kernelCan);

        if (problem == null) {
            assertThat(found).isEmpty();
        } else {
            assertThat(found).contains(problem);
        }
    }

    @Test
    void aContainerFindsAPartOfAVolumeAtAPlaceOfItsOwn() {
        Container container = new Container(
                "app",
                List.of(
                        new Container.VolumeMount("data", "/whole", "./", false, "", ""),
                        new Container.VolumeMount("data", "/part", "a/b", true, "", "")),
                List.of(),
                Map.of(),
                Map.of());

        assertThat(new PodMounts(LAYOUT, true)
                        .of(pod(List.of(), List.of(container), "", List.of()), Map.of("data", WRITABLE))
                        .container("app")
                        .mounts())
                .extracting(mount -> mount.hostPath().toString())
                .containsExactly("/at/data", "/root-dir/pods/u/volume-subpaths/data/app/1");
    }

    @ParameterizedTest
    @CsvSource({"a/../../b, must not contain '..'", "/etc, must be relative", "'', ''", "a..b/c, ''"})
    void refusesASubPathThatCouldLeaveTheVolume(String subPath, String problem) {
        assertThat(MountSettings.problem(new Container.VolumeMount("data", "/in", subPath, false, "", ""), true))
                .contains(problem);
    }

    @Test
    void refusesAnUnresolvedSubPathExpr() {
        assertThat(MountSettings.problem(
                        new Container.VolumeMount("data", "/in", "", "$(POD_NAME)", false, "", ""), true))
                .contains("$(POD_NAME) was not resolved");
    }

    @Test
    void aReadOnlyVolumeIsReadOnlyForEveryContainer() {
        assertThat(MountSettings.of(mount("data", false, "", ""), true, true).readOnly())
                .isTrue();
    }

    @ParameterizedTest(name = "annotation {0}, pod asks for {1}: {2}")
    @CsvSource(
            nullValues = "-",
            value = {"777,-,777", "777,777,-", "a,-,-", "-,-,-", "0,-,0", "4294967295,-,-", "99999999999,-,-", "-1,-,-"
            })
    void addsTheGroupOfAVolumeUnlessThePodAsksForItItself(
            @Nullable String annotation, @Nullable Long own, @Nullable Long added) {
        List<Long> groups = PodMounts.supplementalGroups(
                pod(List.of(), List.of(), text(annotation), own == null ? List.of() : List.of(own)));

        assertThat(groups).isEqualTo(added == null ? List.of() : List.of(added));
    }

    private static Container.VolumeMount mount(
            String name, boolean readOnly, String propagation, String recursiveReadOnly) {
        return new Container.VolumeMount(name, "/in/" + name, "", readOnly, propagation, recursiveReadOnly);
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    private static ResolvedPod pod(
            List<Container> initContainers, List<Container> containers, String group, List<Long> supplementalGroups) {
        Pod pod = new Pod(
                ObjectMeta.named("default", "p").withUid("u"),
                new Pod.Spec(
                        "n",
                        List.of(),
                        initContainers,
                        containers,
                        new Pod.SecurityContext(null, "", supplementalGroups, null),
                        ""),
                new Pod.Status(PodPhase.RUNNING, List.of()),
                Unmodeled.none());
        ObjectMeta meta = ObjectMeta.named("", "pv");
        PersistentVolume volume = new PersistentVolume(
                group.isEmpty() ? meta : meta.withAnnotation("pv.beta.kubernetes.io/gid", group),
                new PersistentVolume.Spec(
                        Quantity.parse("1Gi"),
                        List.of(AccessMode.READ_WRITE_ONCE),
                        ReclaimPolicy.RETAIN,
                        "",
                        VolumeMode.FILESYSTEM,
                        null,
                        List.of(),
                        null,
                        "",
                        CsiSource.of("mem", "h", "", Map.of())),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none());
        return new ResolvedPod(
                pod,
                List.of(new ResolvedVolume(
                        ID,
                        VolumeSpec.of(volume, false),
                        new NoPlugin(),
                        pod.metadata().uid(),
                        "data")),
                Map.of());
    }

    private static final class NoPlugin implements VolumePlugin {
        @Override
        public String name() {
            return "p";
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return true;
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return "v";
        }
    }
}
