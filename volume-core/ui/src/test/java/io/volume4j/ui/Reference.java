package io.volume4j.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/**
 * What a view should look like: a picture of it, ten times smaller and grey. So a missing panel, a broken style or text over text is seen, and
 * another time of day or another version of the browser is not.
 */
final class Reference {
    /** All text is in it, whatever fonts a machine has. */
    static final String FONT = "DejaVu Sans";

    /** What is drawn as long as something took, and what is in the order of time, is another picture each time. */
    static final String STYLE = "* { font-family: '" + FONT + "' !important }"
            + " .track i, .plot path, .plot rect, .meter i, .bar i { visibility: hidden !important }"
            + " section[aria-label='Latest steps'] tbody, section[aria-label='Slowest by time'] tbody { display: none }";

    /** Of the text that a browser is asked for. */
    static final String WIDTH = "976";

    /** Pixels of the page that become one of the reference, in both directions. */
    private static final int CELL = 10;

    /** Of 255; a line of text that moves by half its height changes its cells by more. */
    private static final int VISIBLE = 20;

    /** The part of all cells that may differ; numbers and times of day change one in a thousand. */
    private static final double TOLERATED = 0.015;

    private static final Path FOLDER = Path.of("src", "test", "pictures");

    private Reference() {}

    /** With {@code -Dvolume4j.pictures=write} the picture becomes the reference. */
    static void demandAlike(String name, byte[] picture, Path folder) throws IOException {
        BufferedImage now = small(ImageIO.read(new ByteArrayInputStream(picture)));
        Path file = FOLDER.resolve(name + ".png");
        if ("write".equals(System.getProperty("volume4j.pictures"))) {
            Files.createDirectories(FOLDER);
            ImageIO.write(now, "png", file.toFile());
            return;
        }
        ImageIO.write(now, "png", folder.resolve(name + "-small.png").toFile());
        assertThat(file)
                .as("the reference of " + name + "; .ci/pictures makes it")
                .exists();
        double differs = difference(ImageIO.read(file.toFile()), now);
        assertThat(differs)
                .as(
                        "part of %s that does not look like %s; if it should look as it does now, run .ci/pictures",
                        name, file)
                .isLessThan(TOLERATED);
    }

    /** The part of all cells that differ visibly; what one picture has and the other has not, differs. */
    static double difference(BufferedImage one, BufferedImage other) {
        int width = Math.max(one.getWidth(), other.getWidth());
        int height = Math.max(one.getHeight(), other.getHeight());
        int different = 0;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                boolean inBoth = x < Math.min(one.getWidth(), other.getWidth())
                        && y < Math.min(one.getHeight(), other.getHeight());
                if (!inBoth || Math.abs(grey(one, x, y) - grey(other, x, y)) > VISIBLE) {
                    different++;
                }
            }
        }
        return (double) different / (width * height);
    }

    private static int grey(BufferedImage image, int x, int y) {
        return image.getRaster().getSample(x, y, 0);
    }

    private static BufferedImage small(BufferedImage page) {
        int width = page.getWidth() / CELL;
        int height = page.getHeight() / CELL;
        BufferedImage small = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                small.getRaster().setSample(x, y, 0, average(page, x * CELL, y * CELL));
            }
        }
        return small;
    }

    private static int average(BufferedImage page, int left, int top) {
        int sum = 0;
        for (int y = 0; y < CELL; y++) {
            for (int x = 0; x < CELL; x++) {
                int rgb = page.getRGB(left + x, top + y);
                sum += (rgb >> 16 & 255) + (rgb >> 8 & 255) + (rgb & 255);
            }
        }
        return sum / (3 * CELL * CELL);
    }
}
