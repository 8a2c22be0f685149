package io.volume4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Parts of pages that are drawn from the code: between {@code <!-- drawn: NAME -->} and {@code <!-- end -->}. */
public final class DrawnPages {
    private DrawnPages() {}

    /** The page shows what the code says. With {@code -Dvolume4j.draw=write} it is written there. */
    public static void demand(String page, String name, List<String> lines) throws IOException {
        Path file = Sources.ROOT.resolve("docs").resolve(page);
        String text = Files.readString(file);
        String head = "<!-- drawn: " + name + " -->\n";
        assertThat(text).as("docs/" + page).contains(head);
        int begin = text.indexOf(head) + head.length();
        int end = text.indexOf("<!-- end -->", begin);
        String drawn = String.join("\n", lines) + "\n";
        if ("write".equals(System.getProperty("volume4j.draw"))) {
            Files.writeString(file, text.substring(0, begin) + drawn + text.substring(end));
            return;
        }
        assertThat(text.substring(begin, end))
                .as("what docs/%s draws as %s; -Dvolume4j.draw=write draws it anew", page, name)
                .isEqualTo(drawn);
    }
}
