package io.volume4j.ui;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/** Pictures of the page one after another, as a GIF that begins anew. */
final class Film {
    private static final int WIDTH = 980;
    private static final String FORMAT = "javax_imageio_gif_image_1.0";

    private final List<BufferedImage> frames = new ArrayList<>();
    private final List<Integer> centiseconds = new ArrayList<>();

    /** Adds a picture that is shown for so long. */
    void add(byte[] png, int hundredths) throws IOException {
        BufferedImage picture = ImageIO.read(new ByteArrayInputStream(png));
        int height = picture.getHeight() * WIDTH / picture.getWidth();
        BufferedImage frame = new BufferedImage(WIDTH, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D canvas = frame.createGraphics();
        canvas.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
        canvas.drawImage(picture, 0, 0, WIDTH, height, null);
        canvas.dispose();
        frames.add(frame);
        centiseconds.add(hundredths);
    }

    void write(Path file) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(Files.newOutputStream(file))) {
            writer.setOutput(out);
            writer.prepareWriteSequence(null);
            for (int i = 0; i < frames.size(); i++) {
                IIOMetadata metadata =
                        writer.getDefaultImageMetadata(ImageTypeSpecifier.createFromRenderedImage(frames.get(i)), null);
                metadata.mergeTree(FORMAT, shown(centiseconds.get(i)));
                writer.writeToSequence(new IIOImage(frames.get(i), null, metadata), null);
            }
            writer.endWriteSequence();
        } finally {
            writer.dispose();
        }
    }

    private static IIOMetadataNode shown(int hundredths) {
        IIOMetadataNode control = new IIOMetadataNode("GraphicControlExtension");
        control.setAttribute("disposalMethod", "none");
        control.setAttribute("userInputFlag", "FALSE");
        control.setAttribute("transparentColorFlag", "FALSE");
        control.setAttribute("delayTime", Integer.toString(hundredths));
        control.setAttribute("transparentColorIndex", "0");
        IIOMetadataNode again = new IIOMetadataNode("ApplicationExtension");
        again.setAttribute("applicationID", "NETSCAPE");
        again.setAttribute("authenticationCode", "2.0");
        again.setUserObject(new byte[] {1, 0, 0});
        IIOMetadataNode extensions = new IIOMetadataNode("ApplicationExtensions");
        extensions.appendChild(again);
        IIOMetadataNode root = new IIOMetadataNode(FORMAT);
        root.appendChild(control);
        root.appendChild(extensions);
        return root;
    }
}
