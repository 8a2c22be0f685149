package io.volume4j.examples.benchmarks.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Columns as wide as their widest cell; words on the left, figures on the right. */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    private final int words;

    /** A table with words in the first column and figures in the others. */
    public Table(String... headings) {
        this(1, headings);
    }

    /** A table with words in this many first columns. */
    public Table(int words, String... headings) {
        this.words = words;
        row(headings);
    }

    public void row(String... cells) {
        rows.add(Collections.unmodifiableList(new ArrayList<>(List.of(cells))));
    }

    public String text() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("  ");
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                String pad = " ".repeat(width(column) - cell.length());
                line.append(column < words ? cell + pad : pad + cell).append("   ");
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream()
                .filter(row -> column < row.size())
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElse(0);
    }
}
