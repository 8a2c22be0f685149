package io.volume4j.core.codec;

import java.util.List;
import java.util.Map;

/** Where a value stands in a text, and where its parts do. Lines and columns count from 1. */
record Position(int line, int column, Map<String, Position> fields, List<Position> items) {
    /** The position of the value at the path; of the next larger one where there is no such value. */
    Position of(FieldPath path) {
        Position position = this;
        for (FieldPath step : path.steps()) {
            Position next = step.isItem() ? position.item(step.index()) : position.fields.get(step.key());
            if (next == null) {
                return position;
            }
            position = next;
        }
        return position;
    }

    private Position item(int index) {
        return index < items.size() ? items.get(index) : this;
    }
}
