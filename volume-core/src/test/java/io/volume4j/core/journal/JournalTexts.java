package io.volume4j.core.journal;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Records that are texts. */
final class JournalTexts {
    private JournalTexts() {}

    static JournalEntry entry(String text) {
        return new JournalEntry(7, text.getBytes(StandardCharsets.UTF_8));
    }

    static List<String> texts(Replayed replayed) {
        return replayed.records().stream()
                .map(record -> new String(record.payload(), StandardCharsets.UTF_8))
                .toList();
    }
}
