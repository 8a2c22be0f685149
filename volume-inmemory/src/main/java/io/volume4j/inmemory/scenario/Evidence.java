package io.volume4j.inmemory.scenario;

import io.volume4j.spi.host.Fence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The evidence that a node is fenced: the words of a {@code fence} step. */
enum Evidence {
    AUTHORITY("authority", Fence.Kind.AUTHORITY_PROOF, "its machine is off"),
    OPERATOR("operator", Fence.Kind.OPERATOR_ASSERTION, "a person says so"),
    LEASE("lease", Fence.Kind.SELF_FENCED_LEASE, "it let go of everything before its lease ended"),
    RISK("risk", Fence.Kind.ACCEPTED_RISK, "unknown, for too long");

    private final String word;
    private final Fence.Kind kind;
    private final String text;

    Evidence(String word, Fence.Kind kind, String text) {
        this.word = word;
        this.kind = kind;
        this.text = text;
    }

    /** @param word null for an authority's evidence */
    static Evidence of(@Nullable Value word) {
        if (word == null) {
            return AUTHORITY;
        }
        List<String> words = new ArrayList<>();
        for (Evidence evidence : values()) {
            if (evidence.word.equals(word.text())) {
                return evidence;
            }
            words.add(evidence.word);
        }
        throw word.unknown("evidence", words);
    }

    Fence about(String node) {
        return new Fence(kind, node, text);
    }
}
