package io.volume4j.core.codec;

import java.util.List;
import java.util.Map;

/** The position of a value in a text, and those of its parts. Lines and columns count from 1. */
record Position(int line, int column, Map<String, Position> fields, List<Position> items) {
    /** The position of the value at the path, or of the nearest enclosing value. */
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
