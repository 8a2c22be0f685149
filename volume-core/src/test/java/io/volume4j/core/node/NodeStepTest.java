package io.volume4j.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.engine.ConflictKey;
import io.volume4j.core.node.NodeStep.Kind;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.spi.VolumeId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which steps go side by side and which exclude each other; see {@code docs/conflict-keys.md}. */
class NodeStepTest {
    private static final VolumeId SHARED = VolumeId.shared("p", "v");

    @ParameterizedTest(name = "{0} of pod {1} beside {2} of pod {3}: {4}")
    @CsvSource(
            nullValues = "-",
            value = {
                "ATTACH,         -, DETACH,         -, false",
                "MOUNT_DEVICE,   -, MOUNT,          a, false",
                "MOUNT,          a, MOUNT,          a, false",
                "MOUNT,          a, MOUNT,          b, false",
                "MOUNT,          a, UNMOUNT,        a, false",
                "MOUNT,          a, UNMOUNT,        b, false",
                "UNMOUNT,        a, UNMOUNT,        a, false",
                "UNMOUNT,        a, UNMOUNT,        b, true",
                "UNMOUNT_DEVICE, -, MOUNT,          a, false",
                "UNMOUNT_DEVICE, -, UNMOUNT,        a, false",
                "DETACH,         -, UNMOUNT,        a, false",
                "APPLY_FS_GROUP,            a, UNMOUNT,        a, false",
                "APPLY_FS_GROUP,            a, UNMOUNT,        b, true",
                "APPLY_FS_GROUP,            a, APPLY_FS_GROUP,            b, false",
                "APPLY_FS_GROUP,            a, BIND_SUBPATHS,         b, true",
                "APPLY_FS_GROUP,            a, MOUNT,          b, false",
                "APPLY_FS_GROUP,            a, UNMOUNT_DEVICE, -, false",
                "BIND_SUBPATHS,         a, BIND_SUBPATHS,         b, true",
                "BIND_SUBPATHS,         a, UNMOUNT,        a, false",
                "MAP_IDS,               a, MAP_IDS,        b, true",
                "MAP_IDS,               a, UNMOUNT,        a, false",
                "MAP_IDS,               a, UNMOUNT,        b, true",
            })
    void ofOneSharedVolumeGoSideBySideOnlyWhereNothingIsSharedButTheVolume(
            Kind one, @Nullable String onePod, Kind other, @Nullable String otherPod, boolean together) {
        NodeStep first = step(one, SHARED, onePod == null ? "" : onePod);
        NodeStep second = step(other, SHARED, otherPod == null ? "" : otherPod);

        assertThat(goTogether(first, second)).isEqualTo(together);
        assertThat(goTogether(second, first)).isEqualTo(together);
    }

    @Test
    void ofDifferentVolumesAlwaysGoSideBySide() {
        for (Kind one : Kind.values()) {
            for (Kind other : Kind.values()) {
                assertThat(goTogether(
                                step(one, VolumeId.ofPod("p", "v", "a"), "a"),
                                step(other, VolumeId.ofPod("p", "v", "b"), "b")))
                        .as("%s %s", one, other)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void hasOneActionForEachKindThatHostsHearOf(Kind kind) {
        assertThat(VolumeTransition.Action.valueOf(kind.name()).name()).isEqualTo(kind.name());
        assertThat(kind.operation(false)).matches("[a-z_]+");
        assertThat(kind.operation(true)).matches("[a-z_]+");
    }

    private static boolean goTogether(NodeStep one, NodeStep other) {
        for (ConflictKey key : one.conflictKeys()) {
            for (ConflictKey second : other.conflictKeys()) {
                boolean same = key.thing().equals(second.thing());
                if (same && (key.exclusive() || second.exclusive())) {
                    return false;
                }
            }
        }
        return true;
    }

    private static NodeStep step(Kind kind, VolumeId volume, String podUid) {
        return new NodeStep(kind, volume, podUid, "v", "");
    }
}
