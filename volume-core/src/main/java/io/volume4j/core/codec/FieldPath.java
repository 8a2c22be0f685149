package io.volume4j.core.codec;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The path of a value in a document. Created for every object that is read, but formatted only for an error. */
final class FieldPath {
    static final FieldPath ROOT = new FieldPath(null, "", -1);

    private final @Nullable FieldPath parent;
    private final String key;
    private final int index;

    private FieldPath(@Nullable FieldPath parent, String key, int index) {
        this.parent = parent;
        this.key = key;
        this.index = index;
    }

    FieldPath field(String name) {
        return new FieldPath(this, name, -1);
    }

    FieldPath item(int at) {
        return new FieldPath(this, "", at);
    }

    boolean isItem() {
        return index >= 0;
    }

    String key() {
        return key;
    }

    int index() {
        return index;
    }

    /** The steps from the top of the document down, without the root. */
    List<FieldPath> steps() {
        Deque<FieldPath> steps = new ArrayDeque<>();
        for (@Nullable FieldPath step = this; step != null && step.parent != null; step = step.parent) {
            steps.addFirst(step);
        }
        return Collections.unmodifiableList(new ArrayList<>(steps));
    }

    /** The path in a form such as {@code spec.volumes[1].name}. Keys that are not a single word are in quotes. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (FieldPath step : steps()) {
            if (step.isItem()) {
                text.append('[').append(step.index).append(']');
            } else if (isWord(step.key)) {
                text.append(text.length() == 0 ? "" : ".").append(step.key);
            } else {
                text.append('[').append(Shown.value(step.key)).append(']');
            }
        }
        return text.toString();
    }

    private static boolean isWord(String key) {
        return !key.isEmpty() && key.length() <= 64 && key.chars().allMatch(Character::isLetterOrDigit);
    }
}
