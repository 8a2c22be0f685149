package io.volume4j.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.volume4j.core.journal.JournalException.Kind;
import io.volume4j.core.journal.JournalHeader.Condition;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a journal's identity, records and failures say, and what they keep to themselves. */
class JournalValuesTest {
    private static final String LONGEST = "x".repeat(JournalIdentity.MAX_PART_BYTES);

    @Test
    void anIdentityHasThreePartsThatFitIntoTheHeader() {
        JournalIdentity identity = new JournalIdentity(LONGEST, LONGEST, LONGEST);

        assertThat(JournalHeader.decode(new JournalHeader(identity, 1, 1, 0).encode()))
                .isEqualTo(new JournalHeader(identity, 1, 1, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb", "tab\t", "\u0000"})
    void noPartOfAnIdentityIsEmptyOrHoldsAControlCharacter(String part) {
        refused(part);
    }

    @Test
    void noPartOfAnIdentityIsTooLongInBytes() {
        refused(LONGEST + "x");
        refused("\u00fc".repeat(JournalIdentity.MAX_PART_BYTES / 2 + 1));
    }

    private static void refused(String part) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JournalIdentity(part, "b", "r"))
                .withMessageStartingWith("node name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JournalIdentity("n", part, "r"))
                .withMessageStartingWith("boot id");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JournalIdentity("n", "b", part))
                .withMessageStartingWith("root id");
    }

    @Test
    void aRecordDoesNotShowItsPayload() {
        JournalEntry entry = new JournalEntry(7, "secret".getBytes(StandardCharsets.UTF_8));

        assertThat(entry).hasToString("JournalEntry[type=7, bytes=6]");
    }

    /** The call whose intent was to be written was not sent. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aFailureSaysThatTheCallDidNotHappenAndWhatToDo(Kind kind) {
        JournalException failure = new JournalException(kind, "it broke", "mend it");

        VolumeException meaning = failure.asVolumeException();

        assertThat(failure).hasMessage("it broke; mend it");
        assertThat(failure.advice()).isEqualTo("mend it");
        assertThat(meaning.kind())
                .isEqualTo(
                        switch (kind) {
                            case NO_SPACE -> FailureKind.EXHAUSTED;
                            case RECORD_TOO_LARGE, NEWER_FORMAT, UNREADABLE, WRONG_NODE, WRONG_ROOT ->
                                FailureKind.FINAL;
                            default -> FailureKind.TRANSIENT;
                        });
        assertThat(meaning).hasMessageContaining("it broke").hasCause(failure);
        assertThat(meaning.advice()).isEqualTo("mend it");
    }

    /** A note whose record is durable is no news; one whose record is not is told once. */
    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    void aNoteTellsOnlyThatItCouldNotBeWritten(boolean durable, boolean told) {
        List<JournalException> heard = new ArrayList<>();
        JournalException failure = new JournalException(Kind.IO, "it broke", "mend it");
        Journal journal = new Journal() {
            @Override
            public void append(JournalEntry entry, AppendPriority priority, JournalCallback callback) {
                callback.completed(durable ? new AppendOutcome.Durable(1) : new AppendOutcome.Failed(failure));
            }

            @Override
            public void compact(Iterable<JournalEntry> snapshot, JournalCallback callback) {
                throw new UnsupportedOperationException();
            }

            @Override
            public JournalStatus status() {
                throw new UnsupportedOperationException();
            }

            @Override
            public void close() {}
        };

        journal.note(new JournalEntry(1, new byte[0]), AppendPriority.NORMAL, heard::add);

        assertThat(heard).isEqualTo(told ? List.of(failure) : List.of());
    }

    @ParameterizedTest
    @CsvSource({
        // version, byte that is changed (-1: none), condition
        "1, -1, VALID",
        "0, -1, DAMAGED",
        "2, -1, NEWER",
        "65535, -1, NEWER",
        "1, 0, DAMAGED",
        "1, 4000, DAMAGED",
        "1, 4095, DAMAGED",
        "2, 7, DAMAGED",
    })
    void aHeaderIsNewerOnlyIfItIsIntact(int version, int harmed, Condition condition) {
        ByteBuffer header = new JournalHeader(new JournalIdentity("n", "b", "r"), 1, 1, 0).encode();
        header.putShort(8, (short) version);
        CRC32C crc = new CRC32C();
        crc.update(header.duplicate().limit(JournalFormat.HEADER_BYTES - 4));
        header.putInt(JournalFormat.HEADER_BYTES - 4, (int) crc.getValue());
        if (harmed >= 0) {
            header.put(harmed, (byte) (header.get(harmed) ^ 1));
        }

        assertThat(JournalHeader.conditionOf(header)).isEqualTo(condition);
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1, true", "16777216, true", "16777217, false"})
    void noRecordIsLargerThanTheFormatAllows(int payload, boolean allowed) {
        ByteBuffer record = ByteBuffer.allocate(JournalFormat.OVERHEAD + payload);
        JournalFormat.putRecord(record, 1, 1, (byte) 1, new byte[payload]);

        assertThat(JournalFormat.isHead(record, 0, 1)).isEqualTo(allowed);
    }
}
