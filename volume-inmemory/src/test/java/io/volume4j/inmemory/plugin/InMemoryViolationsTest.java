package io.volume4j.inmemory.plugin;

import static io.volume4j.inmemory.plugin.Volumes.volume;
import static io.volume4j.spi.model.AccessMode.READ_WRITE_MANY;
import static io.volume4j.spi.model.AccessMode.READ_WRITE_ONCE;
import static io.volume4j.spi.model.AccessMode.READ_WRITE_ONCE_POD;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.VolumeSpec;
import org.junit.jupiter.api.Test;

/** Which calls violate the rules by which volumes are kept safe, and which do not. */
class InMemoryViolationsTest extends PluginBench {
    @Test
    void aVolumeForOneNodeOnTwoNodesIsAViolation() {
        VolumeSpec spec = volume("v1", READ_WRITE_ONCE);
        attached(spec, "n1");
        attached(spec, "n2");

        assertThat(storage.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.rule()).isEqualTo("S4");
            assertThat(violation.call()).isEqualTo("attach v1 n2");
            assertThat(violation.message()).contains("n1");
        });
    }

    @Test
    void aFencedNodeNoLongerStandsAgainstAnother() {
        VolumeSpec spec = volume("v1", READ_WRITE_ONCE);
        attached(spec, "n1");
        storage.fence("n1");
        attached(spec, "n2");
        assertThat(storage.violations()).isEmpty();

        storage.unfence("n1");
        attached(spec, "n3");
        assertThat(storage.violations()).isNotEmpty();
    }

    @Test
    void aVolumeForManyNodesMayBeOnMany() {
        VolumeSpec spec = volume("v1", READ_WRITE_MANY);
        attached(spec, "n1");
        attached(spec, "n2");

        assertThat(storage.violations()).isEmpty();
    }

    @Test
    void theWholeLifeOfAVolumeLeavesNothingAndViolatesNothing() {
        VolumeSpec spec = volume("v1", READ_WRITE_ONCE);
        attached(spec, "n1");
        staged(spec);
        published(spec, "u1");
        published(spec, "u2");
        assertThat(storage.volume("v1").orElseThrow().publications().get("n1")).containsOnlyKeys("u1", "u2");

        unpublished("v1", "u1");
        unpublished("v1", "u2");
        unstaged("v1");
        detached("v1", "n1");

        assertThat(storage.volume("v1").orElseThrow().held()).isFalse();
        assertThat(storage.violations()).isEmpty();
        assertThat(storage.callTexts())
                .containsExactly(
                        "attach v1 n1",
                        "mountDevice v1 n1",
                        "mount v1 n1 u1",
                        "mount v1 n1 u2",
                        "unmount v1 n1 u1",
                        "unmount v1 n1 u2",
                        "unmountDevice v1 n1",
                        "detach v1 n1");
        assertThat(storage.calls()).allMatch(call -> call.outcome().equals("ok"));
    }

    @Test
    void stagingWhatIsNotAttachedIsAViolationAndFails() {
        assertThat(failure(() -> staged(volume("v1"))).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(rules()).containsExactly("S3");
    }

    @Test
    void publishingWhatIsNotStagedIsAViolationAndFails() {
        attached(volume("v1"), "n1");
        assertThat(failure(() -> published(volume("v1"), "u1")).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(rules()).containsExactly("S3");
    }

    @Test
    void unstagingUnderAPodIsAViolation() {
        inUse("v1", "u1");
        unstaged("v1");
        assertThat(rules()).containsExactly("S2");
    }

    @Test
    void detachingUnderAPodIsAViolationUnlessTheNodeIsFenced() {
        inUse("v1", "u1");
        inUse("v2", "u1");
        detached("v1", "n1");
        assertThat(rules()).containsExactly("S1");

        storage.fence("n1");
        detached("v2", "n1");
        assertThat(rules()).containsExactly("S1");
    }

    @Test
    void detachingWhileStagedIsAViolation() {
        attached(volume("v1"), "n1");
        staged(volume("v1"));
        detached("v1", "n1");
        assertThat(rules()).containsExactly("S1");
    }

    @Test
    void deletingWhatIsAttachedIsAViolationAndRefused() {
        ProvisionResult made = provisioned("v1", GIB);
        attached(volume("v1"), "n1");

        assertThat(failure(() -> delete("v1", made)).kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(rules()).containsExactly("S10");
        assertThat(storage.volume("v1")).isPresent();
    }

    @Test
    void aVolumeForOnePodWithTwoPodsIsAViolation() {
        VolumeSpec spec = volume("v1", READ_WRITE_ONCE_POD);
        attached(spec, "n1");
        staged(spec);
        published(spec, "u1");
        published(spec, "u1");
        assertThat(storage.violations()).isEmpty();

        published(spec, "u2");
        assertThat(rules()).containsExactly("S5");
    }

    @Test
    void aRebootTakesMountsAndLeavesAttachments() {
        inUse("v1", "u1");
        storage.nodeRebooted("n1");

        BackingVolume after = storage.volume("v1").orElseThrow();
        assertThat(after.attachments()).containsOnlyKeys("n1");
        assertThat(after.stagings()).isEmpty();
        assertThat(after.publications()).isEmpty();
    }

    @Test
    void twoCallsForTheSameAttachmentAtOnceAreAViolation() {
        use(InMemoryStorage.builder()
                .gate(new Reentry(() -> attached(volume("v2"), "n1")))
                .build());
        attached(volume("v1"), "n1");
        assertThat(storage.violations()).isEmpty();

        use(InMemoryStorage.builder()
                .gate(new Reentry(() -> attached(volume("v1"), "n1")))
                .build());
        attached(volume("v1"), "n1");
        assertThat(rules()).containsExactly("S12");
    }

    @Test
    void growingAFilesystemBeyondItsVolumeIsAViolationAndFails() {
        VolumeSpec spec = volume("v1");
        attached(spec, "n1");
        staged(spec);

        assertThat(failure(() -> expandOnNode(spec, 2 * GIB)).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(rules()).containsExactly("S21");
    }
}
