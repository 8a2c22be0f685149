package io.volume4j.core.node.recover;

import static io.volume4j.core.node.recover.Remains.DATA;
import static io.volume4j.core.node.recover.Remains.MORE;
import static io.volume4j.core.node.recover.Remains.attachedOnly;
import static io.volume4j.core.node.recover.Remains.mount;
import static io.volume4j.core.node.recover.Remains.row;
import static io.volume4j.core.node.recover.Remains.staged;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.RowCodec;
import io.volume4j.core.node.state.VolumeRow;
import org.junit.jupiter.api.Test;

/** What the journal's rows alone prove, on a node that has no mounts of its own to look at. */
class JournalRowsTest {
    private static final JournalEntry LATER_RELEASE = new JournalEntry(100, new byte[] {3, 1});
    private static final MountRow MOUNT = mount(DATA, "a", "data");
    private static final MountRow OTHER_MOUNT = mount(DATA, "b", "data");

    private final Remains remains = new Remains();

    @Test
    void theLastRowOfAThingIsWhatIsKnownOfIt() {
        remains.rows(
                row(attachedOnly(DATA)),
                row(staged(DATA)),
                row(staged(MORE)),
                row(MOUNT.withState(MountState.UNCERTAIN)),
                row(MOUNT),
                row(OTHER_MOUNT),
                RowCodec.mountGone(DATA, "b"),
                RowCodec.volumeGone(MORE));

        StateReconstruction found = remains.foundWithoutMachine();

        assertThat(found.volumes()).containsExactly(staged(DATA));
        assertThat(found.mounts()).containsExactly(MOUNT);
        assertThat(found.rows()).isEqualTo(2);
        assertThat(found.unreadable()).isZero();
        assertThat(found.journalOutdated()).isFalse();
    }

    /** Attachments outlive a boot of the machine, but the node asks for them again. */
    @Test
    void whatWasWrittenBeforeTheBootIsUncertain() {
        remains.rows(row(staged(DATA)), row(MOUNT), row(attachedOnly(MORE)), row(OTHER_MOUNT))
                .bootedBefore(3);

        StateReconstruction found = remains.foundWithoutMachine();

        assertThat(found.volumes())
                .containsExactly(
                        staged(DATA).withAttach(AttachState.UNCERTAIN).withDevice(MountState.UNCERTAIN),
                        attachedOnly(MORE));
        assertThat(found.mounts()).containsExactly(MOUNT.withState(MountState.UNCERTAIN), OTHER_MOUNT);
    }

    @Test
    void whatWasAbsentBeforeTheBootIsAbsentAfterIt() {
        VolumeRow absent = VolumeRow.unknown(DATA, "pv", false);
        remains.rows(row(absent), row(attachedOnly(MORE))).bootedBefore(3);

        assertThat(remains.foundWithoutMachine().volumes())
                .containsExactly(absent, attachedOnly(MORE).withAttach(AttachState.UNCERTAIN));
    }

    /** The lost rows may have been the last ones of what is known from before them, and of nothing that was written after. */
    @Test
    void onlyWhatWasWrittenBehindTheLastDamageIsCertain() {
        remains.rows(row(staged(DATA)), row(MOUNT), row(staged(MORE)), row(OTHER_MOUNT))
                .damagedAt(3, 0)
                .damagedAt(1, 1);

        StateReconstruction found = remains.foundWithoutMachine();

        assertThat(found.volumes())
                .containsExactly(
                        staged(DATA).withAttach(AttachState.UNCERTAIN).withDevice(MountState.UNCERTAIN), staged(MORE));
        assertThat(found.mounts()).containsExactly(MOUNT.withState(MountState.UNCERTAIN), OTHER_MOUNT);
        assertThat(found.journalOutdated()).isTrue();
    }

    @Test
    void aRowBehindTheDamageMakesCertainAgainWhatAnEarlierOneSaid() {
        remains.rows(row(staged(DATA)), row(MOUNT), row(staged(DATA)), row(MOUNT))
                .damagedAt(3, 0);

        StateReconstruction found = remains.foundWithoutMachine();

        assertThat(found.volumes()).containsExactly(staged(DATA));
        assertThat(found.mounts()).containsExactly(MOUNT);
    }

    @Test
    void aRowThatCannotBeReadMayHaveChangedWhateverIsKnownFromBefore() {
        remains.rows(
                row(staged(DATA)),
                row(MOUNT),
                row(staged(MORE)),
                row(OTHER_MOUNT),
                LATER_RELEASE,
                row(staged(MORE)),
                row(OTHER_MOUNT));

        StateReconstruction found = remains.foundWithoutMachine();

        assertThat(found.volumes())
                .containsExactly(
                        staged(DATA).withAttach(AttachState.UNCERTAIN).withDevice(MountState.UNCERTAIN), staged(MORE));
        assertThat(found.mounts()).containsExactly(MOUNT.withState(MountState.UNCERTAIN), OTHER_MOUNT);
        assertThat(found.unreadable()).isEqualTo(1);
        assertThat(found.journalOutdated()).isTrue();
    }

    /** What the second one may have changed is not known from behind the first. */
    @Test
    void eachRowThatCannotBeReadCounts() {
        remains.rows(LATER_RELEASE, row(staged(DATA)), row(MOUNT), new JournalEntry(RowCodec.MOUNT, new byte[] {0}));

        StateReconstruction found = remains.foundWithoutMachine();

        assertThat(found.volumes())
                .containsExactly(staged(DATA).withAttach(AttachState.UNCERTAIN).withDevice(MountState.UNCERTAIN));
        assertThat(found.mounts()).containsExactly(MOUNT.withState(MountState.UNCERTAIN));
        assertThat(found.unreadable()).isEqualTo(2);
    }

    @Test
    void aMountWhoseVolumeHasNoRowGetsOneThatNeitherClaimsNorDeniesAnAttachment() {
        remains.rows(row(MOUNT));

        StateReconstruction found = remains.foundWithoutMachine();

        assertThat(found.volumes())
                .containsExactly(VolumeRow.unknown(DATA, "data", false)
                        .withAttach(AttachState.UNCERTAIN)
                        .withDevice(MountState.UNCERTAIN));
        assertThat(found.journalOutdated()).isTrue();
    }
}
