package io.volume4j.examples.quickstart;

import java.util.ArrayList;
import java.util.List;

/** Columns as wide as their widest cell, three spaces apart, as kubectl prints them. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... headings) {
        rows.add(List.of(headings));
    }

    void row(String... cells) {
        rows.add(List.of(cells));
    }

    String text() {
        int columns = rows.get(0).size();
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                line.append(row.get(column))
                        .append(" ".repeat(width(column) - row.get(column).length() + 3));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
