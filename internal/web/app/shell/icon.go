package shell

import "html/template"

// icons are drawn by hand on a grid of 16, in lines of one weight.
var icons = map[string]string{
	"plane":    `<path d="M8 1.7c.7 0 1.1.9 1.1 1.9v2.7l5.1 3v1.5l-5.1-1.6v2.5l1.6 1.2v1.2L8 13.4l-2.7.7v-1.2l1.6-1.2V9.2l-5.1 1.6V9.3l5.1-3V3.6c0-1 .4-1.9 1.1-1.9z"/>`,
	"ship":     `<path d="M1.8 10.2h12.4l-1.7 3.6H3.5zM4 10.2V6.9h8v3.3M6 6.9V4.2h4v2.7M8 4.2V1.9"/>`,
	"bed":      `<path d="M1.8 3.4V13M1.8 11h12.4M14.2 13V8.7a2 2 0 0 0-2-2H7.3V11"/><circle cx="4.5" cy="7.4" r="1.4"/>`,
	"person":   `<circle cx="8" cy="4.9" r="2.8"/><path d="M2.6 14c.5-3 2.6-4.4 5.4-4.4s4.9 1.4 5.4 4.4"/>`,
	"clock":    `<circle cx="8" cy="8" r="6.2"/><path d="M8 4.4V8l2.5 1.6"/>`,
	"bell":     `<path d="M3.3 11.4h9.4l-1.2-1.8V6.7a3.5 3.5 0 0 0-7 0v2.9zM6.7 13.8h2.6"/>`,
	"warning":  `<path d="M8 2.1 14.5 13.5h-13zM8 6.4v3.2M8 11.5v.1"/>`,
	"check":    `<path d="m2.8 8.5 3.4 3.4 7-7.4"/>`,
	"cross":    `<path d="m3.8 3.8 8.4 8.4M12.2 3.8l-8.4 8.4"/>`,
	"arrow":    `<path d="M2.3 8h11M9.2 3.9 13.4 8l-4.2 4.1"/>`,
	"filter":   `<path d="M1.9 3h12.2L9.6 8.4v4.7l-3.2-1.6V8.4z"/>`,
	"search":   `<circle cx="7" cy="7" r="4.5"/><path d="m10.4 10.4 3.7 3.7"/>`,
	"list":     `<path d="M5.6 3.8h8.2M5.6 8h8.2M5.6 12.2h8.2M2.3 3.8h.1M2.3 8h.1M2.3 12.2h.1"/>`,
	"ticket":   `<path d="M1.8 4.2h12.4v2.4a1.4 1.4 0 0 0 0 2.8v2.4H1.8V9.4a1.4 1.4 0 0 0 0-2.8zM9.8 4.4v1.2M9.8 7.4v1.2M9.8 10.4v1.2"/>`,
	"calendar": `<path d="M2.2 3.4h11.6v10.4H2.2zM2.2 6.6h11.6M5.2 1.9v2.6M10.8 1.9v2.6"/>`,
	"chart":    `<path d="M2.2 1.9v11.9h11.9M5.4 11V7.6M8.6 11V4.4M11.8 11V6.2"/>`,
	"settings": `<path d="M1.9 4.4h6.4M11.9 4.4h2.2M1.9 11.6h2.2M7.7 11.6h6.4"/><circle cx="10.1" cy="4.4" r="1.8"/><circle cx="5.9" cy="11.6" r="1.8"/>`,
	"plus":     `<path d="M8 2.8v10.4M2.8 8h10.4"/>`,
	"left":     `<path d="M10 3.4 5.4 8l4.6 4.6"/>`,
	"change":   `<path d="M2.4 5.6h9.4M9.4 3.1l2.6 2.5-2.6 2.5M13.6 10.4H4.2M6.6 7.9 4 10.4l2.6 2.5"/>`,
	"refund":   `<path d="M3 6.2h7a3.4 3.4 0 0 1 0 6.8H5.6M5.8 3.2 2.8 6.2l3 3"/>`,
	"noshow":   `<circle cx="8" cy="5" r="2.6"/><path d="M3 13.8c.4-2.8 2.4-4.2 5-4.2 1 0 2 .2 2.8.7M11 11.2l3 3M14 11.2l-3 3"/>`,
	"split":    `<path d="M2 8h4.2l3-3.6H14M6.2 8l3 3.6H14"/>`,
	"bag":      `<path d="M3.2 5.2h9.6v8.4H3.2zM6 5.2V2.9h4v2.3M6 8v3M10 8v3"/>`,
	"down":     `<path d="M3.4 6 8 10.6 12.6 6"/>`,
	"right":    `<path d="M6 3.4 10.6 8 6 12.6"/>`,
}

// Icon draws an icon. It is hidden from screen readers, because words always stand beside it.
func Icon(name string) template.HTML {
	return template.HTML(`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">` + icons[name] + `</svg>`)
}
